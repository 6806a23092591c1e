"""Write the demonstration archive anew, and hold the shipped models against its truth."""
