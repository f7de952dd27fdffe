"""Rulebook prose in many languages: texts, printing, cross-checks, source documents, exchange."""
