"""Code that several test folders share."""
