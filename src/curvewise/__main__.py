"""``python -m curvewise``: the command line."""

from curvewise._cli.start import main

if __name__ == "__main__":
    main()
