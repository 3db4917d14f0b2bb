"""History: audit, replay, disputes, precedents, and previews of corrections."""
