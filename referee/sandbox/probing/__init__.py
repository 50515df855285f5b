"""A canary in a cell: what it could not do is believed."""
