"""The knowledge base: reading terms, cards and rules; deriving what follows; keeping it between runs."""
