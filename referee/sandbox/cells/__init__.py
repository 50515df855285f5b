"""What holds one started program, at each level of isolation."""
