"""Is openapi.yaml right? The ledger and the matrix, comparisons with other sources, and the
effect of a change."""
