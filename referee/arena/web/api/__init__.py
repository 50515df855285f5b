"""What programs ask of the site, as JSON below `/api/v1`. The scripts of the pages ask it, too."""
