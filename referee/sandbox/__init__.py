"""The sandbox: each untrusted program runs in its own cell (README.md beside this file)."""
