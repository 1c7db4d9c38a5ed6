"""The tiered memory, pure: markers, documents, clocks, budget, archive, retention, the stow pass."""
