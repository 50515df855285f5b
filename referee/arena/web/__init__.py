"""The site of an arena, in its own process: `html` makes pages, `api` answers programs, `app` says which address is whose."""
