// The streams of one browser. A browser has six connections for one address (HTTP/1.1), for all tabs together.

/** Streams take four connections; two remain for requests. */
const SLOTS = 4;

/**
 * Take a slot for a stream of this browser. The result gives the slot back; null if all slots are taken. Browsers
 * without Web Locks, as over plain HTTP in a home network, always get a slot.
 */
export async function takeSlot(): Promise<(() => void) | null> {
  const locks = navigator.locks as LockManager | null | undefined;
  if (!locks) return () => undefined;
  for (let number = 0; number < SLOTS; number++) {
    const release = await take(locks, `mabligop-stream-${number}`);
    if (release !== null) return release;
  }
  return null;
}

function take(locks: LockManager, name: string): Promise<(() => void) | null> {
  return new Promise((resolve) => {
    locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (lock === null) return resolve(null);
        return new Promise<void>((giveBack) => resolve(() => giveBack()));
      })
      // The browser forbids locks to the page.
      .catch(() => resolve(() => undefined));
  });
}
