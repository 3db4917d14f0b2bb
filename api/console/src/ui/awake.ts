// The screen stays on as long as the wall or a phone is shown, if the browser allows it (only over HTTPS).
export function stayAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let active = true;
  async function hold(): Promise<void> {
    if (!active || document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      if (!active) await lock.release();
    } catch {
      // The device saves its battery: the screen may go dark, as usual.
    }
  }
  const again = (): void => void hold();
  document.addEventListener("visibilitychange", again);
  again();
  return () => {
    active = false;
    document.removeEventListener("visibilitychange", again);
    void lock?.release();
  };
}
