/** Moves the focus to the row with the cursor. */
export function focusRow(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>("#rows [tabindex='0'].open, #rows")?.focus());
}
