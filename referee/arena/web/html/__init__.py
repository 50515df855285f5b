"""The pages of the site, made of markup that escapes what is shown."""
