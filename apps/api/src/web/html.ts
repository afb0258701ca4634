import { escapeHtml } from "../wire/page-frame.js";

/** HTML whose values are escaped. Make it with {@link html}. */
export class Html {
  constructor(readonly text: string) {}
}

/** A template of HTML: texts in it are escaped, and parts that are HTML aren't. */
export function html(parts: TemplateStringsArray, ...values: (Html | string | number)[]): Html {
  return new Html(
    parts.reduce((text, part, index) => {
      const value = values[index - 1];
      return text + (value === undefined ? "" : value instanceof Html ? value.text : escapeHtml(String(value))) + part;
    }),
  );
}

/** Parts of HTML, one after another. */
export function join(parts: readonly Html[], separator = ""): Html {
  return new Html(parts.map(({ text }) => text).join(separator));
}
