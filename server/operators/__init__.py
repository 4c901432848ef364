"""Commands for the people who run a server. None of them changes a room."""
