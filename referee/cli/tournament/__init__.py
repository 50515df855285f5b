"""`referee tournament`: many matches between bots, in a folder."""
