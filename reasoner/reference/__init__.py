"""References: what a mention means by the rules (a selector), and which referents meet it."""
