"""Statistics of complex values: distances between pairs of annotations, and sums over pairs."""
