"""Files and folders of this machine: private ones, locked ones, those that somebody else may write,
and the folders for what a browser's work makes. Each module stands for itself.

To change:

- the folder and the name of a downloaded file: ``download_folder.py``
"""
