// The cover over the player's own things: open by touch, closed again with the phone put away.

class Cover {
  open = $state(false);

  constructor() {
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.open = false;
    });
  }
}

export const cover = new Cover();
