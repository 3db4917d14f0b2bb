// Files of the service, saved by the browser. The token travels in a header, so a plain link cannot save them.

/** Save this content under a name. */
export function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser holds the content by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
