"""The access control of our HTTP servers: listening, the token, and who may connect.

Import from its modules: ``serving`` imports the server, which would slow down the doctor.
"""
