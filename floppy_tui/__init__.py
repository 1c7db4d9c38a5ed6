"""Keep an AI agent's long-term memory small, current and trustworthy, from a terminal."""

__version__ = "0.1.0"
