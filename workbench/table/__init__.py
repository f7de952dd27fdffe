"""The table: play in the browser, one page for each seat, the rules on the server."""
