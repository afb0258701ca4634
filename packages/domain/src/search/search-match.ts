import { memoized } from "../memoized.js";
import { isOnSale } from "../offer/availability.js";
import { storageOf } from "../offer/storage.js";
import type { Offer } from "../offer/offer-schema.js";
import { partTests, type PartTests } from "./part-tests.js";
import type { Searched, SearchField, SearchOperator, SearchTerm } from "./search-term.js";

// Holds terms against offers. A term that is no comparison is decided by one part of an offer alone (its GPU, provider,
// place, form or instance type), so that an index decides it once for each distinct part.

/** How terms are read. */
export interface MatchOptions {
  /** Whether prices are spot prices; then an offer without one matches no comparison of prices. */
  isSpot?: boolean;
}

type CompareTerm = Extract<SearchTerm, { kind: "compare" }>;
export type SearchMark = Extract<SearchTerm, { kind: "nvlink" | "available" | "spot" }>["kind"];

/** A term as tests: of parts, of facts, or of other terms. */
export type CompiledTerm =
  | { kind: "parts"; tests: PartTests }
  | { kind: "compare"; compare: CompareTerm }
  | { kind: "mark"; mark: SearchMark }
  | { kind: "all" | "any"; terms: readonly CompiledTerm[] }
  | { kind: "not"; term: CompiledTerm };

const compiledTerms = new WeakMap<SearchTerm, CompiledTerm>();

/** Compiles a term, once; many offers can then be tested with it. */
export function compileTerm(term: SearchTerm): CompiledTerm {
  return memoized(compiledTerms, term, () => compile(term));
}

function compile(term: SearchTerm): CompiledTerm {
  switch (term.kind) {
    case "all":
    case "any":
      return { kind: term.kind, terms: term.terms.map(compileTerm) };
    case "not":
      return { kind: "not", term: compileTerm(term.term) };
    case "number": {
      const { value } = term;
      return {
        kind: "any",
        terms: [
          { kind: "compare", compare: { kind: "compare", field: "gpuCount", operator: "=", value } },
          { kind: "parts", tests: { gpu: ({ gpu, numbers }) => gpu.vramGB === value || numbers.has(value) } },
        ],
      };
    }
    case "compare":
      return { kind: "compare", compare: term };
    case "nvlink":
    case "available":
    case "spot":
      return { kind: "mark", mark: term.kind };
    case "deployment":
    case "gpu":
    case "image":
    case "phrase":
    case "place":
    case "provider":
    case "type":
    case "word":
      return { kind: "parts", tests: partTests(term) };
  }
}

/** The largest disk of an offer in GB, by the rule of diskFor: one whose maximum is unknown may have any. */
function maxDiskOf(offer: Offer): number {
  return storageOf(offer).maxGb ?? Number.POSITIVE_INFINITY;
}

/** Compares a number with a limit. Both are in the unit of the field. */
export const SEARCH_OPERATIONS: Readonly<Record<SearchOperator, (value: number, limit: number) => boolean>> = {
  "=": (value, limit) => value === limit,
  "<": (value, limit) => value < limit,
  "<=": (value, limit) => value <= limit,
  ">": (value, limit) => value > limit,
  ">=": (value, limit) => value >= limit,
};

/** The compared number of an offer; NaN if it is unknown, which matches nothing. */
export function searchedValue(searched: Searched, field: SearchField, { isSpot = false }: MatchOptions = {}): number {
  const { offer } = searched;
  switch (field) {
    case "gpuCount":
      return offer.gpuCount;
    case "vram":
      return offer.gpu.vramGB;
    case "totalVram":
      return offer.gpu.vramGB * offer.gpuCount;
    // If the source does not state memory or processors, they are 0, which must not count as a small number.
    case "ram":
      return offer.specs.ram === 0 ? Number.NaN : offer.specs.ram;
    case "vcpu":
      return offer.specs.vcpu === 0 ? Number.NaN : offer.specs.vcpu;
    case "disk":
      return maxDiskOf(offer);
    case "pricePerGpu":
      return isSpot ? spotHourlyOf(searched) / offer.gpuCount : offer.pricePerGpu;
    case "priceHourly":
      return isSpot ? spotHourlyOf(searched) : offer.priceHourly;
  }
}

/** The spot price of the instance, USD per hour; NaN without one. */
function spotHourlyOf({ spot }: Searched): number {
  return spot?.kind === "price" ? spot.priceHourly : Number.NaN;
}

/** Whether an offer has a property. */
export function hasMark(searched: Searched, mark: SearchMark): boolean {
  const isSpot = !Number.isNaN(spotHourlyOf(searched));
  return mark === "nvlink" ? searched.offer.nvlinkEnabled : mark === "available" ? isOnSale(searched) : isSpot;
}
