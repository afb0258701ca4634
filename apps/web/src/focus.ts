/** What has the focus of the row with the cursor. */
export function rowWithCursor(): HTMLElement | null {
  return document.querySelector("#rows .open[tabindex='0']");
}

/** Moves the focus to the row with the cursor, or to the list if it has no rows. */
export function focusRow(options?: FocusOptions): void {
  requestAnimationFrame(() => {
    (rowWithCursor() ?? document.querySelector<HTMLElement>("#offers"))?.focus(options);
  });
}

/**
 * Keeps the focus on the page when what had it is gone, such as a chip that was clicked or a comparison that closed: it goes
 * to the row with the cursor.
 */
export function keepFocus(root: HTMLElement): void {
  let last: Element | null = null;
  const onFocus = (event: FocusEvent): void => {
    last = event.target instanceof Element ? event.target : null;
  };
  const removed = new MutationObserver(() => {
    if (last !== null && !last.isConnected && document.activeElement === document.body) {
      last = null;
      focusRow({ preventScroll: true });
    }
  });
  root.addEventListener("focusin", onFocus);
  removed.observe(root, { childList: true, subtree: true });
}
