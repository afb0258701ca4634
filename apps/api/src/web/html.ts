import { escapeHtml } from "../wire/page-frame.js";

/** HTML whose values are escaped. Make it with {@link html}. */
export class Html {
  constructor(readonly text: string) {}
}

/** A template of HTML: texts in it are escaped, and parts that are HTML, or lists of them, aren't. */
export function html(parts: TemplateStringsArray, ...values: (Html | readonly Html[] | string | number)[]): Html {
  let [text = ""] = parts;
  for (const [at, value] of values.entries()) {
    text +=
      value instanceof Html ? value.text : typeof value === "object" ? join(value, "").text : escapeHtml(`${value}`);
    text += parts[at + 1] ?? "";
  }
  return new Html(text);
}

/** Parts of HTML with a text between them. */
export function join(parts: readonly Html[], separator: string): Html {
  return new Html(parts.map(({ text }) => text).join(separator));
}

/** The title of a column; `num` of one with numbers. */
type Heading = string | { num: Html | string };

interface Table {
  label: string;
  headings: readonly Heading[];
  /** Cells of each row; the first names the row. */
  rows: readonly (readonly (Html | string)[])[];
  className?: string;
  attributes?: (index: number) => Html;
}

/** A table that can be scrolled sideways where it is wider than the window. */
export function table({ label, headings, rows, className = "facts", attributes = () => html`` }: Table): Html {
  const kinds = headings.map((heading) => (typeof heading === "string" ? html`` : html` class="num"`));
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}, scrollable">
    <table class="${className}" aria-label="${label}">
      <thead>
        <tr>
          ${headings.map((title, at) => {
            const text = typeof title === "string" ? title : title.num;
            return html`<th scope="col" ${kinds[at] ?? ""}>${text}</th>`;
          })}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name = "", ...cells], index) =>
            html`<tr ${attributes(index)}>
              <th scope="row">${name}</th>
              ${cells.map((cell, at) => html`<td ${kinds[at + 1] ?? ""}>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A page: its title, a sentence for search engines and previews, and its content. */
export interface PageContent {
  title: string;
  description: string;
  content: Html;
  feed?: string;
}
