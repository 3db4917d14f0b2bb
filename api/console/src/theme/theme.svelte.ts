// Light or dark: the device's preference, until somebody chooses.

const KEPT = "mabligop-theme";
export type Theme = "light" | "dark";

class Themes {
  now = $state<Theme>(first());

  set(theme: Theme): void {
    this.now = theme;
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem(KEPT, theme);
    } catch {
      // Without a storage the choice lasts as long as the page.
    }
  }

  toggle(): void {
    this.set(this.now === "dark" ? "light" : "dark");
  }
}

function first(): Theme {
  try {
    const stored = localStorage.getItem(KEPT);
    if (stored === "light" || stored === "dark") return stored;
  } catch {
    // No storage: the device's preference.
  }
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export const themes = new Themes();
document.documentElement.dataset.theme = themes.now;
