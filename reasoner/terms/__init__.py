"""RDF terms: namespaces, compact names, and the plain-text form in which terms are cached."""
