"""An experiment as one self-contained, interactive HTML page."""
