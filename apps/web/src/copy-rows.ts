/** Selected rows of tables are copied with tabs, so that a spreadsheet gets cells. */
export function copyRows(): void {
  document.addEventListener("copy", (event) => {
    const selection = getSelection();
    const rows = [...document.querySelectorAll("tr")].filter((row) => selection?.containsNode(row, true) === true);
    if (rows.length < 2 || event.clipboardData === null) {
      return;
    }
    const text = rows.map((row) =>
      [...row.children]
        .filter((cell) => !cell.matches(".mark"))
        .map((cell) => (cell instanceof HTMLElement ? cell.innerText.replaceAll(/\s+/g, " ").trim() : ""))
        .join("\t"),
    );
    event.preventDefault();
    event.clipboardData.setData("text/plain", text.join("\n"));
  });
}
