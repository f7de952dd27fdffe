"""Rulebook texts to and from translators' tools: PO, XLIFF, CSV and TMX for texts, TBX for the glossary.

``jobs`` makes a Job (all sentences of one language beside another), one module for each form writes it and reads it
back as a Delivery, ``plan`` checks a delivery against the texts there are, and ``write_back`` puts its sentences into
the text. Nothing is written before everything is checked.
"""
