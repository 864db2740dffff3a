"""Every invariant of every file, and of the files of a run towards one another, as a command.

`files` checks files by themselves, `agreement` a run's files against one another.
"""

from phasemark.checking.files import Checked, check, check_file, check_folder, repair

__all__ = ["Checked", "check", "check_file", "check_folder", "repair"]


def __dir__() -> list[str]:
    return sorted(__all__)
