"""VII and VIII. Goods: doses, shops with a stock, vehicles, deliveries, gifts."""

CHAPTERS = ("doses", "shops", "vehicles", "tank", "deliveries", "gifts")
