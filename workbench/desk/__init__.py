"""The desk of a rules editor: one page on this machine with all that is known of a game's folder, as it was last saved.

``watching`` looks at the folder, ``turning`` tries other numbers, and ``desk_server`` tells the page, whose table is
that of ``serve``.
"""
