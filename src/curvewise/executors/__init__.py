"""Where tasks are carried out, and the loop that connects a search to it."""
