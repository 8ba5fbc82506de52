"""Files over HTTP: a client puts files into the upload folder, and gets those that actions saved.

``folders`` says which folders there are. ``confined`` reads a folder and never leaves it.
``receiving`` writes a file that a client sends, ``sending`` sends one.
"""

from tabwarden.surfaces.http.files.confined import (
    NoSuchFile,
    delete_file,
    list_files,
    open_file,
)
from tabwarden.surfaces.http.files.folders import FOLDERS, ServedFolder, route_to
from tabwarden.surfaces.http.files.receiving import FileTooLarge, Pace, check_headers, receive_file
from tabwarden.surfaces.http.files.sending import OpenedFile

__all__ = [
    "FOLDERS",
    "FileTooLarge",
    "NoSuchFile",
    "OpenedFile",
    "Pace",
    "ServedFolder",
    "check_headers",
    "delete_file",
    "list_files",
    "open_file",
    "receive_file",
    "route_to",
]
