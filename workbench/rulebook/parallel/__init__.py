"""Parallel texts: two or more documents that say the same in different languages, without any rules.

``read`` opens and aligns them with what people have decided; ``blocks`` puts linked passages together,
``contradictions`` compares what a block says in its languages, ``terms`` proposes a glossary. ``page`` shows all of it
side by side, to be decided with a click; ``memory`` writes the links for translators' tools, ``begin`` makes a game of
them: ids, empty statements, maps.
"""
