"""One answer from many: votes, models of annotators, medoids, merging."""
