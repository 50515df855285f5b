"""What people see of a match at each moment, before anything is drawn.

No module here knows a game by name: games make a `Frame`. None imports trio, and only `columns` uses rich, to measure text.
"""
