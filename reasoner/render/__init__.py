"""How answers are shown: tables, trees, JSON, CSV, Markdown. Data goes to stdout, the rest to stderr."""
