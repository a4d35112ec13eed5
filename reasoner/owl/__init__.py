"""What a game's vocabulary and references mean in OWL 2 DL: class expressions, classification, profile."""
