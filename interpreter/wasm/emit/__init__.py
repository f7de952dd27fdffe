"""Tools for writing code: values by type, the abstract writer of a function, the registry functions share."""
