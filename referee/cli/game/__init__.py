"""`referee game`: commands for those who make a game."""
