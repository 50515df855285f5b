"""Would like to have another program's opinion."""

import subprocess

subprocess.run(["stockfish"])
