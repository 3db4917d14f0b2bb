"""Trading: purchases, auctions and trades of titles."""
