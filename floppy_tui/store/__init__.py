"""The disk edge: the only room that reads and writes files, takes locks and watches directories."""
