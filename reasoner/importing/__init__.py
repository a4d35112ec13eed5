"""Importing card pools: JSON of others in, triples out, by a mapping that is data; and where pools are kept."""
