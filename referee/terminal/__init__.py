"""What people see of a match in a terminal: the live view, the replay viewer, plain text and the closing table.

No module here knows a game by name: games make a `Frame`, and this package chooses colours, widths and keys.
Commands import these modules only when they draw.
"""
