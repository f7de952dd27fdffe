"""Layout of values in a module's memory."""
