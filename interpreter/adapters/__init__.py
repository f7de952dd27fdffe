"""Adapters that present games to other libraries, which are imported only where they are used."""
