"""Paint boxes as SVG."""

from .svg import paint

__all__ = ["paint"]
