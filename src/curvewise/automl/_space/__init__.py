"""Search spaces as data, and how pipelines are drawn from them."""
