"""Builds of bots: a stranger's compiler runs in a jail of its own."""
