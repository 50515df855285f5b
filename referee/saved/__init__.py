"""Saved games, and the transcripts beside them."""
