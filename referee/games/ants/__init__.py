"""Ants: teams carry food to their hills, guided by smells and 32 bytes of memory per ant. The rules are in README.md."""
