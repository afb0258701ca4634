import {
  LISTING_FILTER_NAMES,
  LISTING_PARAMETERS,
  filterOf,
  parametersOf,
  parameterText,
  readParameter,
  type ListingParameter,
  type ListingParameterName,
  type ListingQuery,
} from "@gpu-offers/domain";
import type { Result } from "./evaluate.js";
import { printable } from "./printable.js";
import type { ValueCount, ValueCounts } from "./value-counts.js";

// The controls of the filters, the same in the picker and on the page, and what using one changes.

export interface ControlValue extends Partial<ValueCount> {
  value: string;
  label: string;
  isSet: boolean;
}

interface ControlOf<Kind extends string> {
  kind: Kind;
  name: ListingParameterName;
  label: string;
  place: NonNullable<ListingParameter["control"]>["place"];
}

/** A control of a filter: a field of a number or a text, a switch, one of a few choices, or values with counts. */
export type Control =
  | (ControlOf<"number" | "text"> & { text: string })
  | (ControlOf<"switch"> & { isSet: boolean })
  | (ControlOf<"choice" | "values"> & { values: readonly ControlValue[] });

const PLACES = ["query", "first", "more"] as const;
const KINDS = ["number", "switch", "choice", "text", "values"] as const;

const KIND_OF: Partial<Record<ListingParameter["kind"], Control["kind"]>> = {
  boolean: "switch",
  choice: "choice",
  text: "text",
  names: "text",
  regions: "text",
  choices: "text",
};

function kindOf({ kind, control }: ListingParameter): Control["kind"] {
  const hasValues = control?.valuesOf !== undefined || control?.imageValuesOf !== undefined;
  return hasValues ? "values" : (KIND_OF[kind] ?? "number");
}

/** The filters in the order of their controls: by place, by kind, and as documented. */
const ORDERED = LISTING_FILTER_NAMES.map((name) => {
  const row: ListingParameter = LISTING_PARAMETERS[name];
  const kind = kindOf(row);
  return { name, row, kind, rank: PLACES.indexOf(row.control?.place ?? "more") * 8 + KINDS.indexOf(kind) };
}).sort((a, b) => a.rank - b.rank);

/** The controls of all filters. @param query with the defaults of the door, such as the hosts that it leaves out. */
export function controls(
  query: ListingQuery,
  { selection }: Pick<Result, "selection">,
  counts: ValueCounts,
): Control[] {
  const filter: Partial<Record<ListingParameterName, unknown>> = selection.filter;
  return ORDERED.map((one) =>
    controlOf(one, query[one.name], { resolved: filter[one.name], counts: counts.get(one.name) }),
  );
}

function controlOf(
  { name, row, kind }: (typeof ORDERED)[number],
  given: ListingQuery[ListingParameterName],
  { resolved, counts }: { resolved: unknown; counts: ReadonlyMap<string, ValueCount> | undefined },
): Control {
  const { label = name, place = "more", labels = row.values } = row.control ?? {};
  const head = { name, label, place };
  switch (kind) {
    case "number":
    case "text":
      return { ...head, kind, text: given === undefined ? "" : parameterText(given) };
    case "switch":
      return { ...head, kind, isSet: given === true };
    case "choice": {
      const isSet = (value: string): boolean => (given ?? row.off) === value;
      const values = row.values ?? [];
      return {
        ...head,
        kind,
        values: values.map((value, at) => ({ value, label: labels?.[at] ?? value, isSet: isSet(value) })),
      };
    }
    case "values": {
      const chosen = Array.isArray(resolved) ? resolved.map(String) : typeof given === "string" ? [given] : [];
      return { ...head, kind, values: valuesOf(name, chosen, counts) };
    }
  }
}

function valuesOf(
  name: ListingParameterName,
  chosen: readonly string[],
  counts: ReadonlyMap<string, ValueCount> = new Map(),
): ControlValue[] {
  const all = new Map([...chosen.map((value) => [value, { label: value, count: 0 }] as const), ...counts]);
  return [...all]
    .map(([value, { label, count }]) => ({ value, label: printable(label), count, isSet: chosen.includes(value) }))
    .filter(({ value, isSet }) => isSet || canBeNamed(name, value))
    .sort((a, b) => Number(b.isSet) - Number(a.isSet) || b.count - a.count || (a.label < b.label ? -1 : 1));
}

/** Some regions have commas that a list can't hold. */
function canBeNamed(name: ListingParameterName, value: string): boolean {
  const read = value.includes(",") ? readParameter(name, value) : undefined;
  return read === undefined || (read.ok && (!Array.isArray(read.value) || read.value.length === 1));
}

/** The query with a parameter set, or removed if the value is undefined. */
export function withValue(query: ListingQuery, name: ListingParameterName, value: unknown): ListingQuery {
  return { ...query, [name]: value };
}

/** The query with a switch, a choice or a value set, or removed if it was set. */
export function toggled(query: ListingQuery, control: Control, value = "true"): ListingQuery {
  const { name } = control;
  if (control.kind === "switch") {
    return withValue(query, name, control.isSet ? undefined : true);
  }
  const values = control.kind === "choice" || control.kind === "values" ? control.values : [];
  const wasSet = values.some((one) => one.value === value && one.isSet);
  const { kind }: ListingParameter = LISTING_PARAMETERS[name];
  if (kind === "text" || kind === "choice") {
    return withValue(query, name, wasSet ? undefined : value);
  }
  const others = values.filter((one) => one.isSet && one.value !== value).map((one) => one.value);
  const next = wasSet ? others : [...others, value];
  // Without the equals sign, some slugs are names of families: a100-40gb is all A100 of 40 GB
  const written = next.map((one) => (name === "gpu" ? `=${one}` : one));
  return withValue(query, name, written.length === 0 ? undefined : written);
}

/**
 * The query with a number or a text as it is typed, unset while it is unfinished; undefined if it can't become a value.
 */
export function typed(query: ListingQuery, name: ListingParameterName, text: string): ListingQuery | undefined {
  const row: ListingParameter = LISTING_PARAMETERS[name];
  // With its unit, as in URLs and flags: 1TB, $2, 1,5.
  if (kindOf(row) === "number" && !/^\$?[\d.,]{0,16} ?[a-z/$]{0,5}$/i.test(text)) {
    return undefined;
  }
  const read = readParameter(name, text.replace(/[.,]$/, ""));
  // Counts start at 1 in the interface; a zero while typing isn't a filter.
  return withValue(query, name, read.ok && read.value !== 0 ? read.value : undefined);
}

export function withoutFilter(query: ListingQuery, name: ListingParameterName): ListingQuery {
  return without(query, parametersOf(filterOf(name)));
}

/** The query without all filters; the order stays. */
export function withoutFilters(query: ListingQuery): ListingQuery {
  return without(query, LISTING_FILTER_NAMES);
}

function without(query: ListingQuery, names: readonly ListingParameterName[]): ListingQuery {
  return names.reduce((rest, name) => withValue(rest, name, undefined), query);
}
