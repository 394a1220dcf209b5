"""The experiments that come with curvewise, as TOML files."""
