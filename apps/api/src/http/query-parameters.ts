import { isPlainText } from "@gpu-offers/domain";
import type { ParameterProblem } from "../wire/api-error.js";

/** A parsed query string. */
export interface ReadParameters {
  /** Maps each parameter to its value, or to all values if it is repeated. Has no prototype. */
  values: Record<string, string | string[]>;
  problems: ParameterProblem[];
}

/** The query string of a request, parsed lazily and strictly. */
export class QueryParameters {
  /** @param text The query string without `?`. @param formerNames Former names of parameters, and theirs now. */
  constructor(
    readonly text: string,
    private readonly formerNames: ReadonlyMap<string, string> = new Map(),
  ) {}

  /** All values, and all syntax problems. */
  read(): ReadParameters {
    // V8 treats what Object.create(null) makes as a dictionary, which takes longer to validate.
    const values = Object.setPrototypeOf({}, null) as ReadParameters["values"];
    const problems: ParameterProblem[] = [];
    const reject = (name: string, reason: string): void => void problems.push({ name: echo(name), reason });
    for (const pair of this.text.split("&")) {
      if (pair === "") {
        // Such as the end of `size=1&`: clients and people leave separators behind.
        continue;
      }
      const separator = pair.indexOf("=");
      const rawName = separator === -1 ? pair : pair.slice(0, separator);
      const rawValue = separator === -1 ? "" : pair.slice(separator + 1);
      const decoded = decode(rawName);
      const name = this.formerNames.get(decoded ?? "") ?? decoded;
      const value = decode(rawValue);
      if (name === undefined || value === undefined) {
        reject(rawName, "has invalid percent-encoding");
      } else if (!isPlainText(name) || !isPlainText(value)) {
        reject(rawName, "must not contain control or invisible characters");
      } else if (name === "") {
        reject("", "a parameter has no name");
      } else {
        const earlier = values[name];
        if (Array.isArray(earlier)) {
          earlier.push(value);
        } else {
          values[name] = earlier === undefined ? value : [earlier, value];
        }
      }
    }
    return { values, problems };
  }
}

/** Maximum length of a piece of the request repeated in a response. */
const MAX_ECHO = 64;

/** A piece of the request as repeated in a response. The limit may split a character outside the basic plane. */
export function echo(text: string): string {
  return text.slice(0, MAX_ECHO).toWellFormed();
}

function decode(text: string): string | undefined {
  if (!text.includes("%") && !text.includes("+")) {
    return text;
  }
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
