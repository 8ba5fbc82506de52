"""Downloads: download the caller's URL, or wait for a download that a page started.

``tabwarden.files.download_folder`` chooses the file's folder and name.
"""

from tabwarden.page.downloads.body import pieces
from tabwarden.page.downloads.download import page_download

__all__ = ["download", "page_download", "pieces"]
