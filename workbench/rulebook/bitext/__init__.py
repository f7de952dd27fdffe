"""Bitexts: two or more documents that say the same in different languages, without any rules.

``bitext`` opens and aligns them with what people have decided, compares what linked passages say in their languages,
and proposes a glossary. ``writers`` show all of it side by side, to be decided with a click, or write the links for
translators' tools; ``bootstrap`` makes a game of them: ids, empty statements, maps.
"""
