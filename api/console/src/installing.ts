// The service worker keeps the built files on this device. Plain HTTP in a home network is no secure context: without
// the worker all works as well, only a reload needs the service.
const ADDRESS = "/worker.js";

interface Policies {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(text: string): string };
}

/** Register the service worker where the browser allows it. */
export async function keepBuiltFiles(): Promise<void> {
  if (!isSecureContext || !("serviceWorker" in navigator)) return;
  // The policy of the pages lets no text become the address of a script; this one knows only one address.
  const policies = (window as { trustedTypes?: Policies }).trustedTypes;
  const policy = policies?.createPolicy("console-worker", { createScriptURL: () => ADDRESS });
  try {
    await navigator.serviceWorker.register(policy?.createScriptURL(ADDRESS) ?? ADDRESS, { updateViaCache: "none" });
  } catch {
    // A certificate that the device does not know, or a browser that keeps nothing: the pages need no worker.
  }
}
