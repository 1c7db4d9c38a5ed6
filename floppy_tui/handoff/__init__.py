"""What an agent hands over: its document of decisions, typed, and held against the home as it is."""
