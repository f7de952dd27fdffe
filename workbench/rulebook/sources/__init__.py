"""Source documents: which lines of which text state which statement of the rulebook."""

from .documents import Document, Passage, documents_folder, read_documents, seeds_folder, text_of

__all__ = ["Document", "Passage", "documents_folder", "read_documents", "seeds_folder", "text_of"]
