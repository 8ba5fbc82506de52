"""Access control for our HTTP servers: the listening socket, the token, and the allowed clients.

Import from the modules. This package imports nothing, because Uvicorn would slow down the doctor.
"""
