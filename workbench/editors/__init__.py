"""Editors: a ready extension for VS Code, the few lines that others need."""
