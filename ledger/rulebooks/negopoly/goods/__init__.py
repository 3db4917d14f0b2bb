"""VII and VIII. Goods: doses, shops and their stock, vehicles, deliveries, gifts."""

CHAPTERS = ("doses", "shops", "vehicles", "tank", "deliveries", "gifts")
