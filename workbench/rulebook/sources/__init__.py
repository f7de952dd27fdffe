"""Source documents: which lines of which publisher's text state which statement of the rulebook.

``maps`` reads what we wrote down about a document (``seeds/<document>.toml``), and the document itself where it is
available; ``check`` compares the two.
"""

from .map_checks import DocumentReport, check_documents
from .maps import Document, SourcePassage, documents_folder, lines_stating, read_documents, seeds_folder, text_of

__all__ = [
    "Document",
    "DocumentReport",
    "SourcePassage",
    "check_documents",
    "documents_folder",
    "lines_stating",
    "read_documents",
    "seeds_folder",
    "text_of",
]
