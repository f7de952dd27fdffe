"""Editors: a ready extension for VS Code, the few lines that others need, and the colours they all can use."""
