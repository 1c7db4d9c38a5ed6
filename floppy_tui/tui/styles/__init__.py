"""The style sheet, and the colours that each theme gives the tiers."""
