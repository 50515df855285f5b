"""What the boards of games have in common."""
