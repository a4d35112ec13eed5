"""What Cardlore can be asked to do, one module each; every operation takes a knowledge base and returns a value."""
