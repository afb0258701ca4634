import type { ListingParameter } from "./listing-parameter.js";
import { LISTING_PARAMETERS, type ListingParameterName } from "./listing-parameters.js";
import { isPlainText } from "../text/plain-text.js";
import { isQuantity, readQuantity } from "../text/quantity.js";

/** Longest text of a parameter. */
export const MAX_PARAMETER_LENGTH = 1_000;

/** Maximum number of names in a list. */
export const MAX_NAMES = 50;

/** A parameter's value as read from a text, or a clause that says what it must be. */
export type ReadParameter =
  | {
      ok: true;
      /** The value. */
      value: unknown;
    }
  | {
      ok: false;
      /** What it must be: a clause. */
      reason: string;
    };

/** Commas also occur in names of places, before a space and words without digits and hyphens: `Texas, US`. */
const BETWEEN_REGIONS = /,(?! [^\d,-]*(?:,|$))/;

/** Reads the text of a parameter, as in a URL or after a flag. */
export function readParameter(name: ListingParameterName, text: string): ReadParameter {
  const { kind, form, values = [], maximum }: ListingParameter = LISTING_PARAMETERS[name];
  const written = text.trim();
  if (text.length > MAX_PARAMETER_LENGTH || !isPlainText(text)) {
    return invalid(`must be printable text of at most ${MAX_PARAMETER_LENGTH} characters`);
  }
  if (isQuantity(kind)) {
    const read = readQuantity(kind, text);
    const isTooMuch = maximum !== undefined && (!read.ok || read.value > maximum);
    return isTooMuch ? invalid(`must be a whole number from 1 to ${maximum}`) : read;
  }
  switch (kind) {
    case "text":
      if (written === "") {
        return invalid("must not be empty");
      }
      return form?.pattern.test(written) === false ? invalid(form.reason) : { ok: true, value: written };
    case "boolean":
      return /^(?:true|false)$/.test(text) ? { ok: true, value: text === "true" } : invalid("must be true or false");
    case "choice":
      return values.includes(text) ? { ok: true, value: text } : invalid(`must be one of ${values.join(", ")}`);
    case "names":
      return readItems(text.split(","));
    case "regions":
      return readItems(text.split(BETWEEN_REGIONS));
    case "choices":
      return readItems(text.split(","), values);
  }
}

/** The text of a parameter's value, as {@link readParameter} reads it. */
export function parameterText(value: string | number | boolean | readonly string[]): string {
  return typeof value === "object" ? value.join(",") : String(value);
}

function invalid(reason: string): ReadParameter {
  return { ok: false, reason };
}

function readItems(parts: readonly string[], choices?: readonly string[]): ReadParameter {
  const items = [...new Set(parts.map((part) => part.trim()))];
  if (items.includes("")) {
    return invalid("must not have an empty item");
  }
  if (items.length > MAX_NAMES) {
    return invalid(`must have at most ${MAX_NAMES} items`);
  }
  const isKnown = choices === undefined || items.every((item) => choices.includes(item));
  return isKnown ? { ok: true, value: items } : invalid(`must be one of ${choices.join(", ")}`);
}
