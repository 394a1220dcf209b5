"""Recordings of candidates on a table: `curvewise bench record`."""
