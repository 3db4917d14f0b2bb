"""VII and VIII. Doses, shops, vehicles, deliveries and gifts."""
