import { copyRows } from "./copy-rows.js";
import { dropKey, keepKey, loadHtml, messageOf } from "./service.js";

// The pages of GPUs are whole without this script. It shows the values at a point of a chart, and asks for a key where the
// catalog needs one.

const root = document.querySelector("#app");
if (root?.querySelector(".locked")) {
  void unlock(root);
} else {
  readCharts();
}
copyRows();

/** Replaces the page with that of the key of this tab, or with a form that asks for one. */
async function unlock(page: Element): Promise<void> {
  let problem = "";
  try {
    const read = (await loadHtml(location.href)).querySelector("#app");
    if (read !== null && read.querySelector(".locked") === null) {
      page.replaceWith(read);
      readCharts();
      return;
    }
    problem = dropKey() ? "The service rejected this key." : "This service needs an API key.";
  } catch (error) {
    problem = messageOf(error);
  }
  const form = document.createElement("form");
  form.className = "key";
  const line = document.createElement("p");
  line.setAttribute("role", "alert");
  line.textContent = `${problem} The key is kept in this tab until you close it.`;
  const label = document.createElement("label");
  const field = document.createElement("input");
  field.type = "password";
  field.required = true;
  field.autocomplete = "off";
  label.append("API key ", field);
  const button = document.createElement("button");
  button.className = "chip strong";
  button.textContent = "Show prices";
  form.append(line, label, " ", button);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    keepKey(field.value.trim());
    void unlock(page);
  });
  page.querySelector("form.key")?.remove();
  page.append(form);
  field.focus();
}

/** Shows the values of the table at the pointer, or where arrow keys lead. */
function readCharts(): void {
  for (const plot of document.querySelectorAll<HTMLElement>(".plot")) {
    const chart = plot.querySelector<SVGSVGElement>("svg");
    const table = plot.parentElement?.querySelector("table.values");
    const output = plot.querySelector("output");
    const rows = [...(table?.querySelectorAll<HTMLElement>("tbody tr") ?? [])];
    if (chart === null || output === null || rows.length === 0) {
      continue;
    }
    const titles = [...(table?.querySelectorAll("thead th") ?? [])].map((cell) => cell.textContent.trim());
    const cursor = document.createElementNS("http://www.w3.org/2000/svg", "path");
    cursor.classList.add("cursor");
    chart.append(cursor);
    let at = rows.length;
    const show = (index: number): void => {
      at = Math.max(0, Math.min(rows.length - 1, index));
      const row = rows[at];
      const cells = [...(row?.children ?? [])].map((cell) => cell.textContent.trim());
      output.textContent = cells.map((text, cell) => (cell === 0 ? text : `${titles[cell] ?? ""} ${text}`)).join(" · ");
      cursor.setAttribute("d", `M${row?.dataset["x"] ?? 0} 0V${chart.dataset["base"] ?? 0}`);
    };
    chart.addEventListener("pointermove", ({ clientX }) => {
      const box = chart.getBoundingClientRect();
      const x = ((clientX - box.left) / box.width) * chart.viewBox.baseVal.width;
      const after = rows.findIndex((row) => Number(row.dataset["x"]) > x);
      show((after < 0 ? rows.length : after) - 1);
    });
    plot.addEventListener("keydown", (event) => {
      const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -rows.length, End: rows.length };
      const step = steps[event.key];
      if (step !== undefined) {
        event.preventDefault();
        show(at + step);
      }
    });
    const save = document.createElement("a");
    save.className = "link";
    save.textContent = "CSV";
    save.download = "prices.csv";
    save.href = URL.createObjectURL(
      new Blob([csvOf([...(table?.querySelectorAll("tr") ?? [])])], { type: "text/csv" }),
    );
    table?.closest("details")?.before(save);
  }
}

function csvOf(rows: readonly Element[]): string {
  return rows.map((row) => `${[...row.children].map((cell) => cell.textContent.trim()).join(",")}\n`).join("");
}
