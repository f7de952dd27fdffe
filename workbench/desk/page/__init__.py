"""What the page of the desk has besides that of the table."""
