"""What a game and a referee are to each other."""
