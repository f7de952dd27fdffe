"""The designer's bench: what a house rule changes, in words, tables and pictures."""

from pathlib import Path

STYLE = Path(__file__).with_name("report.css")
"""Style of its pages, beside what all pages share."""
