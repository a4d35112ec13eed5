"""The wording of cards: text to mentions, which hold only what the eye sees. What they mean is decided by rules."""
