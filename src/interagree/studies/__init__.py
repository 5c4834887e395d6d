"""Questions about whole studies: compare, plan, choose a distance, shuffle, explain, examine."""
