"""Files and folders of this machine: private ones, locked ones, those that somebody else may write,
and the folders for what a browser's work makes. Each module stands for itself."""
