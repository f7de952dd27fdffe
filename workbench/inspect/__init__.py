"""A window on each stage between a game's text and its run: syntax tree, Program, lowered code, WebAssembly text."""
