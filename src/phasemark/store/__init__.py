"""A run's folder and the files in it: our own formats, read and written.

`profile_h5` profiles, `model_h5` fitted phases, `tables` the CSV files, `folder` names and run.json,
`atomic` whole-or-nothing writing. Other tools' formats are in `phasemark.formats`.
"""
