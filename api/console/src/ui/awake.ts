// The screen stays on as long as the wall or a phone is shown, where the browser allows it (only over HTTPS).
export function stayAwake(): () => void {
  let held: WakeLockSentinel | null = null;
  let wanted = true;
  async function hold(): Promise<void> {
    if (!wanted || document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    try {
      held = await navigator.wakeLock.request("screen");
      if (!wanted) await held.release();
    } catch {
      // The device saves its battery: the screen may go dark, as it would without this.
    }
  }
  const again = (): void => void hold();
  document.addEventListener("visibilitychange", again);
  again();
  return () => {
    wanted = false;
    document.removeEventListener("visibilitychange", again);
    void held?.release();
  };
}
