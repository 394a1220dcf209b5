"""Tables for `curvewise select`: read from files, scikit-learn or OpenML, and profiled.

A source goes through four stations, each with its own files: its bytes (`content`,
`character_set`), its format (`delimited` with `dialect`, `arff`, `arrow`,
`repositories`), its columns (`column_names`, `columns`) and its target (`target`).
What was decided on the way is a note of the table; what cannot work is a
`curvewise.errors.TableError` of one sentence.
"""
