"""Tournaments: who plays whom, the ledger of all matches, and the figures computed from it."""
