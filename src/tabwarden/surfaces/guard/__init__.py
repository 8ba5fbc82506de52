"""What every server of ours on HTTP has at its door: where it listens, who may come in."""
