"""What both memory layouts share, pure: lines and splices, identity, similarity, dates."""
