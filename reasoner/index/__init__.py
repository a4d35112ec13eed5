"""The index of a card pool: for every atom of a selector the set of cards that meet it, as bits.

`reasoner.reference.evaluate` says what each answer must be, one card at a time; the index gives the same for all cards
at once. It is kept in one file beside the built store, so that a text can be matched without loading the pool.
"""
