import type { FunctionComponent } from "preact";
import {
  DOOR_DEFAULTS,
  LISTING_PARAMETERS,
  LISTING_PARAMETER_NAMES,
  parameterText,
  shellWord,
  type ListingParameter,
} from "@gpu-offers/domain";
import type { Address, Result } from "@gpu-offers/list";
import { searchOf, writeAddress } from "./address.js";
import type { Catalog } from "./catalog.js";
import { CopyButton } from "./copy-button.js";
import { saveCsv } from "./csv.js";

// The list elsewhere: as a request, a command, a feed and a file.

/** The same query as a request, with the defaults of doors written out: it returns the page's list. */
export function requestOf(given: Address["given"]): string {
  const pairs = LISTING_PARAMETER_NAMES.map((name) => {
    const value = DOOR_DEFAULTS[name];
    return [name, given.get(name) ?? (value === undefined ? undefined : parameterText(value))] as const;
  });
  return `api/v2/listings${searchOf(pairs)}`;
}

/** The same query as a command; undefined if a parameter has no flag. */
export function commandOf(given: Address["given"]): string | undefined {
  const words = ["gpu-offers", "--list"];
  for (const name of LISTING_PARAMETER_NAMES) {
    const text = given.get(name);
    const { flag, kind, off }: ListingParameter = LISTING_PARAMETERS[name];
    if (text === undefined || (kind === "boolean" && text === String(off))) {
      continue;
    }
    if (flag === null || (kind === "boolean" && text === "false")) {
      return undefined;
    }
    words.push(...(kind === "boolean" ? [`--${flag}`] : [`--${flag}`, shellWord(text)]));
  }
  return words.join(" ");
}

/** Links to the list elsewhere. */
export const Doors: FunctionComponent<{ given: Address["given"]; catalog: Catalog; result: Result }> = ({
  given,
  catalog,
  result,
}) => {
  const command = commandOf(given);
  return (
    <span class="doors">
      <a href={`./${requestOf(given)}`}>As a request</a>
      <a href={`./feed${writeAddress({ given, view: "list" })}`}>Feed</a>
      <button class="link" onClick={() => saveCsv(catalog, result)}>
        CSV
      </button>
      {command !== undefined && <CopyButton class="link" text={command} title={command} label="Copy command" />}
    </span>
  );
};
