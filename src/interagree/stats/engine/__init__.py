"""How sums over items become coefficients with errors: weights, folding, estimates."""
