"""What people touch: the command line and play at the terminal. Everything below is imported where it is used."""
