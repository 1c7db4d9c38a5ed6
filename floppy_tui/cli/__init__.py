"""The command line: a module a verb, each loaded only when it is asked for."""
