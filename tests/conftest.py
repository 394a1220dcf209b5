"""Settings that all tests share."""

from hypothesis import settings

# Time is not what these tests are about, and the machines they run on are shared.
settings.register_profile("curvewise", deadline=None)
settings.load_profile("curvewise")
