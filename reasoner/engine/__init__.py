"""The rule engine: rules with headers, strata, fixpoint, precedence, proofs."""
