"""Commands for those who serve browsers, and set up this machine and other programs."""
