"""Paint boxes as SVG."""

from .svg import paint, painted

__all__ = ["paint", "painted"]
