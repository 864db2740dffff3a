"""Frames of values that have one row an interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from phasemark.errors import DataError, counted

if TYPE_CHECKING:
    import pandas as pd

    from phasemark.model.intervals import Intervals


def beside(intervals: Intervals | None, table: pd.DataFrame) -> pd.DataFrame:
    """The table, after the columns of its intervals where they are given.

    Raises:
        DataError: their number is not that of the rows.
    """
    if intervals is None:
        return table
    if len(intervals) != len(table):
        raise DataError(
            f"{counted(len(table), 'row')} for {counted(len(intervals), 'interval')}",
            hint="give the intervals of the same run",
        )
    import pandas as pd

    return pd.concat([intervals.frame(), table], axis=1)
