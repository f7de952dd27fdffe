"""Pictures of positions, drawn from the declarations of a game and what one seat may see.

``draw(state, seat=0, lang="nl")`` gives SVG text. The steps, each a room of its own: ``build`` makes a Scene of a
view, ``layout`` gives every part of it a box on a page, and ``paint`` writes SVG.
"""

from .draw import draw, scene_of

__all__ = ["draw", "scene_of"]
