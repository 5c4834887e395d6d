"""``python -m interagree``."""

from interagree.cli import main

main()
