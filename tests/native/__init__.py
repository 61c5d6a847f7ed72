"""Native libraries as C sees them."""
