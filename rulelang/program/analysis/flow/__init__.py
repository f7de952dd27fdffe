"""Information flow: of every value, the hidden contents it is worked out from, and who may know them."""

from .labels import Label, Source, Trail
from .rules import Flow, flow_of

__all__ = ["Flow", "Label", "Source", "Trail", "flow_of"]
