"""Commands that serve browsers, and that set up this machine and other programs."""
