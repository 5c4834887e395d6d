"""Sufficient statistics, and the one place that turns them into coefficients."""
