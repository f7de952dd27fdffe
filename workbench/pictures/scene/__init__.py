"""The Scene: what a picture shows, as plain data, with its addresses, looks and words."""

from .look import Look, Style
from .nodes import Node, Scene

__all__ = ["Look", "Node", "Scene", "Style"]
