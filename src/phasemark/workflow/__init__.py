"""The steps of a run, from folder to folder: silent, and the front door for Python."""
