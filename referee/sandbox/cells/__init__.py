"""Cells: started programs at each level of isolation."""
