import { copyRows } from "./copy-rows.js";
import { dropKey, keepKey, loadHtml, messageOf } from "./service.js";

// The pages of GPUs are whole without this script. It shows the values at a point of a chart, and asks for a key where the
// catalog needs one.

const root = document.querySelector("#app");
const form = root?.querySelector<HTMLFormElement>("form.locked");
if (root && form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    keepKey(form.querySelector("input")?.value.trim() ?? "");
    void unlock(root, form);
  });
  void unlock(root, form);
} else {
  readCharts();
}
copyRows();

/** Replaces the page with that of the key of this tab, or shows its form that asks for one. */
async function unlock(page: Element, asking: HTMLFormElement): Promise<void> {
  let problem: string;
  try {
    const read = (await loadHtml(location.href)).querySelector("#app");
    if (read !== null && read.querySelector(".locked") === null) {
      page.replaceWith(read);
      readCharts();
      return;
    }
    problem = dropKey();
  } catch (error) {
    problem = messageOf(error);
  }
  asking.reset();
  asking.hidden = false;
  asking.querySelector("span")?.replaceChildren(problem);
  asking.querySelector("input")?.focus();
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
    const titles = textsOf(table?.querySelector("thead tr"));
    const cursor = document.createElementNS("http://www.w3.org/2000/svg", "path");
    cursor.classList.add("cursor");
    chart.append(cursor);
    let at = rows.length;
    const show = (index: number): void => {
      at = Math.max(0, Math.min(rows.length - 1, index));
      const row = rows[at];
      const texts = textsOf(row).map((text, cell) => (cell === 0 ? text : `${titles[cell] ?? ""} ${text}`));
      output.textContent = texts.join(" · ");
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
    const lines = [...(table?.querySelectorAll("tr") ?? [])].map((row) => `${textsOf(row).join(",")}\n`);
    save.href = URL.createObjectURL(new Blob(lines, { type: "text/csv" }));
    // Where it moves nothing
    document.querySelector(".spans")?.append(" · ", save);
  }
}

function textsOf(row: Element | null | undefined): string[] {
  return [...(row?.children ?? [])].map((cell) => cell.textContent.trim());
}
