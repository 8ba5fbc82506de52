"""Forms: fill single fields or whole forms, and upload files."""

from tabwarden.page.input.forms import check, drop, fill, select, upload
from tabwarden.page.input.forms.allowed_files import NoSuchUpload, file_in, files_in

__all__ = [
    "NoSuchUpload",
    "check",
    "drop",
    "file_in",
    "files_in",
    "fill",
    "select",
    "upload",
]
