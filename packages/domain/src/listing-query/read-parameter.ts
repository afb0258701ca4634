import type { ListingParameter } from "./listing-parameter.js";
import {
  LISTING_PARAMETERS,
  type ListingParameterName,
  MAX_NAMES,
  MAX_PARAMETER_LENGTH,
} from "./listing-parameters.js";
import { isPlainText } from "../text/plain-text.js";
import { isQuantity, readQuantity } from "../text/quantity.js";

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
  if (text.length > MAX_PARAMETER_LENGTH || !isPlainText(text)) {
    return { ok: false, reason: `must be printable text of at most ${MAX_PARAMETER_LENGTH} characters` };
  }
  if (isQuantity(kind)) {
    const read = readQuantity(kind, text);
    return maximum !== undefined && (!read.ok || read.value > maximum)
      ? { ok: false, reason: `must be a whole number from 1 to ${maximum}` }
      : read;
  }
  switch (kind) {
    case "text":
      if (text.trim() === "") {
        return { ok: false, reason: "must not be empty" };
      }
      return form?.pattern.test(text.trim()) === false
        ? { ok: false, reason: form.reason }
        : { ok: true, value: text.trim() };
    case "boolean":
      return text === "true" || text === "false"
        ? { ok: true, value: text === "true" }
        : { ok: false, reason: "must be true or false" };
    case "choice":
      return values.includes(text) ? { ok: true, value: text } : { ok: false, reason: choiceReason(values) };
    case "names":
      return readItems(text.split(","));
    case "regions":
      return readItems(text.split(BETWEEN_REGIONS));
    case "choices": {
      const items = readItems(text.split(","));
      const isKnown = items.ok && items.value.every((item) => values.includes(item));
      return isKnown || !items.ok ? items : { ok: false, reason: choiceReason(values) };
    }
  }
}

/** The text of a parameter's value, as {@link readParameter} reads it. */
export function parameterText(value: string | number | boolean | readonly string[]): string {
  return typeof value === "object" ? value.join(",") : String(value);
}

function choiceReason(values: readonly string[]): string {
  return `must be one of ${values.join(", ")}`;
}

function readItems(parts: readonly string[]): { ok: true; value: string[] } | { ok: false; reason: string } {
  const items = [...new Set(parts.map((part) => part.trim()))];
  if (items.includes("")) {
    return { ok: false, reason: "must not have an empty item" };
  }
  return items.length > MAX_NAMES
    ? { ok: false, reason: `must have at most ${MAX_NAMES} items` }
    : { ok: true, value: items };
}
