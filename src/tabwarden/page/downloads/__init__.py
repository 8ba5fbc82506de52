"""Downloads: download the caller's URL, or wait for a download that a page started.

``tabwarden.files.download_folder`` chooses the file's folder and name.

To change:

- how the text of a downloaded PDF or text file is read: ``stored_text.py``, and ``pdf_reader.py``,
  which runs in a process of its own
"""

from tabwarden.page.downloads.body import pieces
from tabwarden.page.downloads.download import page_download
from tabwarden.page.downloads.stored_text import StoredText, stored_text

__all__ = ["StoredText", "download", "page_download", "pieces", "stored_text"]
