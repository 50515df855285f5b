"""Is a program fit to play? Numbered steps from its build to its matches, and for what fails a name and what to change."""
