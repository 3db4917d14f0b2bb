"""Values written by tables: the stored form, and the form needed."""
