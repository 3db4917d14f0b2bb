// Streams of one browser: it has six connections for one address (HTTP/1.1), whatever the number of its tabs.

/** Streams take four of them, so that requests have two. */
const SLOTS = 4;

/**
 * A place among the streams of this browser; the result gives it back. Null when all are taken. Where the browser has no
 * Web Locks, as over plain HTTP in a home network, there is always one.
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
      // A browser that forbids locks to the page.
      .catch(() => resolve(() => undefined));
  });
}
