"""What the views are built of."""
