"""What people see of a match: the live view, the replay viewer, plain text and the closing table.

No module here knows a game by name: games hand over a `Frame`, and colours, widths, keys and speeds are decided here.
`scene` and `speed` need neither trio nor rich; the rest import them, so commands import the rest only when they draw.
"""
