"""The families of checks: each a module, each check a function from what is checked to findings."""
