"""`referee game`: a game of one's own."""
