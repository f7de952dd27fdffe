"""A small typed form of WebAssembly, and its text."""
