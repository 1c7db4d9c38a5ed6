"""The note tree, pure: one fact per file under a three-level index, with quotas; its lint and its edits."""
