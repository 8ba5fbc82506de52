"""What is looked at, one concern a file."""
