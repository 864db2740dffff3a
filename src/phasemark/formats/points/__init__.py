"""Points as other tools read and write them."""
