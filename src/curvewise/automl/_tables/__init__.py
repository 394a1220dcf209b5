"""Tables for `curvewise select`: read from files, scikit-learn or OpenML, and profiled.

A source goes through five stations, each with its own files: its bytes (`content`,
`character_set`), its format (`delimited` with `dialect`, `excel`, `arff`, `arrow`,
`parquet_folder`, `repositories`), its columns (`column_names`, `columns`, `date_columns`), its
target (`target`), and what columns are there for (`roles`, `identifiers`, `giveaways`).
What was decided on the way is a note of the table; what cannot work is a
`curvewise.errors.TableError` of one sentence.
"""
