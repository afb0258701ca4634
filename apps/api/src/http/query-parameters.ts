import { isPlainText, type ErrorDetail } from "@gpu-offers/domain";

/** The query string of a request. It is read when somebody asks, and then strictly. */
export class QueryParameters {
  /** @param text What follows the question mark. */
  constructor(readonly text: string) {}

  /** Every value that was given, and every problem of its writing. */
  read(): ReadParameters {
    return new ReadParameters(this.text);
  }
}

/** What a query string says. */
class ReadParameters {
  /** Parameter to its value, or to all of them when it was repeated. Has no prototype. */
  readonly values: Record<string, string | string[]> = Object.create(null);
  readonly problems: ErrorDetail[] = [];

  constructor(text: string) {
    if (text === "") {
      return;
    }
    for (const pair of text.split("&")) {
      const separator = pair.indexOf("=");
      const rawName = separator === -1 ? pair : pair.slice(0, separator);
      const rawValue = separator === -1 ? "" : pair.slice(separator + 1);
      const name = decode(rawName);
      const value = decode(rawValue);
      if (name === undefined || value === undefined) {
        this.#reject(rawName, "has a bad percent-encoding");
      } else if (!isPlainText(name) || !isPlainText(value)) {
        this.#reject(rawName, "must not contain control or invisible characters");
      } else if (name === "") {
        this.#reject("", "a parameter needs a name");
      } else {
        const earlier = this.values[name];
        if (Array.isArray(earlier)) {
          earlier.push(value);
        } else {
          this.values[name] = earlier === undefined ? value : [earlier, value];
        }
      }
    }
  }

  #reject(name: string, reason: string): void {
    this.problems.push({ in: "query", name: name.slice(0, MAX_ECHO), reason });
  }
}

export type { ReadParameters };

/** Longest piece of a request that a response repeats. */
export const MAX_ECHO = 64;

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
