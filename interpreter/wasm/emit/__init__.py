"""The tools all code is written with: values by type, the abstract writer of a function, what functions share."""
