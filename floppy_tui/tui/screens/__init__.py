"""One module a view or dialog."""
