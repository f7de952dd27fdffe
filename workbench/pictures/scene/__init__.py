"""The Scene: what a picture shows, as plain data, with its addresses, looks and words."""
