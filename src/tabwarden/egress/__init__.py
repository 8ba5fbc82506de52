"""Egress: the one way out for a browser's requests, and the policy that stands there.

A SOCKS proxy on loopback, one a task, that knows nothing of CDP; reasons in docs/decisions/0016.
Nothing is imported here: the configuration needs ``origins`` alone.
"""
