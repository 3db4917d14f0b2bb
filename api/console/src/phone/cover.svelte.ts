// What is one's own is covered until it is touched, and again when the phone is put away.

class Cover {
  open = $state(false);

  constructor() {
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.open = false;
    });
  }
}

export const cover = new Cover();
