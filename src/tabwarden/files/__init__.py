"""Files and folders on this machine: private, locked and untrusted files, and the folders for
downloads and other results. The modules are independent.

To change:

- the folder and the name of a downloaded file: ``download_folder.py``
"""
