"""``python -m curvewise``: the command line."""

from curvewise.cli.start import main

if __name__ == "__main__":
    main()
