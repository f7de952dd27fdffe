"""A small typed form of WebAssembly code, and its text."""
