import { html, join, type Html } from "./html.js";

/** The title of a column; `num` of one with numbers. */
type Heading = string | { num: Html | string };

/** A table as HTML. */
interface Table {
  label: string;
  headings: readonly Heading[];
  /** Cells of each row; the first names the row. */
  rows: readonly (readonly (Html | string)[])[];
  className?: string;
  /** Attributes of a row. */
  attributes?: (index: number) => Html;
}

/** A table that can be scrolled sideways where it is wider than the window. */
export function table({ label, headings, rows, className = "facts", attributes = () => html`` }: Table): Html {
  const kinds = headings.map((heading) => (typeof heading === "string" ? html`` : html` class="num"`));
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}, scrollable">
    <table class="${className}" aria-label="${label}">
      <thead>
        <tr>
          ${join(
            headings.map(
              (title, at) =>
                html`<th scope="col" ${kinds[at] ?? ""}>${typeof title === "string" ? title : title.num}</th>`,
            ),
          )}
        </tr>
      </thead>
      <tbody>
        ${join(
          rows.map(
            ([name = "", ...cells], index) =>
              html`<tr ${attributes(index)}>
                <th scope="row">${name}</th>
                ${join(cells.map((cell, at) => html`<td ${kinds[at + 1] ?? ""}>${cell}</td>`))}
              </tr>`,
          ),
        )}
      </tbody>
    </table>
  </div>`;
}
