"""What people see of a match: the live view, the replay viewer, plain text and the closing table.

No module here knows a game by name: games make a `Frame`, and this package chooses colours, widths, keys and speeds.
`scene` and `speed` import neither trio nor rich. Commands import the other modules only when they draw.
"""
