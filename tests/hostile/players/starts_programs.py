"""Tries to start another program."""

import subprocess

subprocess.run(["stockfish"])
