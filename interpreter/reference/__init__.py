"""The reference engine: clear Python whose behaviour is the meaning of the language."""
