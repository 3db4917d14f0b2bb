"""Houses and hotels, mortgages, and the means to raise money."""
