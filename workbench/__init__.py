"""The command line and play at the terminal. Everything below is imported where it is used."""
