/** Moves the focus to the row with the cursor, or to the list if it has no rows. */
export function focusRow(): void {
  requestAnimationFrame(() => {
    const row = document.querySelector<HTMLElement>("#rows .open[tabindex='0']");
    (row ?? document.querySelector<HTMLElement>("#offers"))?.focus();
  });
}
