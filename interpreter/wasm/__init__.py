"""The fast engine: rules as WebAssembly, for playouts and for steps."""
