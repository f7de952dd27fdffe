"""Information flow: of every value, the hidden contents it is worked out from, and who may know them."""

from .contexts import Flow, flow_of
from .labels import Label, Source, Trail

__all__ = ["Flow", "Label", "Source", "Trail", "flow_of"]
