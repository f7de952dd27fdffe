"""Where values lie in a module's memory."""
