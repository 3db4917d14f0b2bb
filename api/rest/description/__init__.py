"""The API's description: schemas, examples, and the page to browse them."""
