"""The screen: it shows snapshots, collects decisions, and leaves every read and write to the store."""
