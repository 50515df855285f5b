"""What `import referee` offers: matches, rules, saved games and ratings, for scripts and notebooks (library.md).

1. The names of `referee.__all__`, their parameters and attributes follow semantic versioning; `tests/library/public.txt` lists
   them. `scripts/manual` writes the page of the manual from their docstrings.
2. Everything works in plain synchronous code. A match runs its own event loop, so it also works in a notebook, whose loop is
   asyncio's, and in a thread.
3. Values are returned and nothing is printed. What a bot does wrong is a value (`Fault`); what the caller does wrong is an
   exception.
"""
