"""Rulebook texts to and from translators' tools.

``jobs`` makes a Job (all sentences of one language beside another), each of ``formats`` writes it and reads it back
as a Delivery, and ``intake`` checks a delivery against the texts there are and puts its sentences into the text.
Nothing is written before everything is checked. ``units`` are what travels, ``sentence_forms`` how sentences with forms
do.
"""
