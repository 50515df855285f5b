"""Other forms of a saved match: a web page, pictures, a table of its answers. Games make frames; no module here knows one."""
