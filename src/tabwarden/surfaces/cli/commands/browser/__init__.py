"""Commands about the user's own browsers, sessions and traces."""
