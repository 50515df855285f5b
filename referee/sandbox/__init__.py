"""Players as strangers' programs: each in a cell of its own, and what this machine can enforce (README.md beside this file)."""
