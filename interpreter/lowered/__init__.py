"""One lowering of a Program for both engines: structured code, and the layout of the cells."""
