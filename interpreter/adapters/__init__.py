"""Games dressed as other libraries expect them. Those libraries are imported only where they are used."""
