"""The filter line of each view: what its words mean, and how they are completed. Pure."""
