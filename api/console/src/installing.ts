// The service worker keeps the built files on this device. Plain HTTP in a home network is no secure context: without
// the worker everything works, only a reload needs the service.
const ADDRESS = "/worker.js";

interface Policies {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(text: string): string };
}

/** Register the service worker if the browser allows it. */
export async function keepBuiltFiles(): Promise<void> {
  if (!isSecureContext || !("serviceWorker" in navigator)) return;
  // The policy of the pages allows no text as the address of a script; this policy knows only one address.
  const policies = (window as { trustedTypes?: Policies }).trustedTypes;
  const policy = policies?.createPolicy("console-worker", { createScriptURL: () => ADDRESS });
  try {
    await navigator.serviceWorker.register(policy?.createScriptURL(ADDRESS) ?? ADDRESS, { updateViaCache: "none" });
  } catch {
    // The device does not know the certificate, or the browser stores nothing: the pages need no worker.
  }
}
