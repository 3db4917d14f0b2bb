// A sign at the lower edge of a box while more of its content follows below.

/** Mark a box that scrolls with `data-more` while content follows below its edge; use with `{@attach markMore}`. */
export function markMore(box: HTMLElement): () => void {
  let frame = 0;
  const look = (): void => {
    frame = 0;
    box.toggleAttribute("data-more", box.scrollHeight - box.scrollTop - box.clientHeight > 24);
  };
  const soon = (): void => void (frame ||= requestAnimationFrame(look));
  const sizes = new ResizeObserver(soon);
  const parts = new MutationObserver(soon);
  sizes.observe(box);
  parts.observe(box, { childList: true, subtree: true, attributeFilter: ["open", "hidden"] });
  box.addEventListener("scroll", soon, { passive: true });
  return () => {
    cancelAnimationFrame(frame);
    sizes.disconnect();
    parts.disconnect();
    box.removeEventListener("scroll", soon);
  };
}
