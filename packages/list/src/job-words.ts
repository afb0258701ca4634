import {
  CONTINENTS,
  LISTING_PARAMETERS,
  continentCode,
  parameterText,
  withoutPiece,
  type ListingCatalog,
  type ListingParameter,
  type ListingParameterName,
  type ListingQuery,
  type ParsedSearch,
  type SearchPiece,
} from "@gpu-offers/domain";
import { JOB_FILTERS } from "./filter-chips.js";

// What the words of a query say of the job, for the controls that ask for it: both show the same, and changing a control takes
// the place of its words.

/** What the control of a filter shows for words of a query, and these. */
export interface JobWords {
  text: string;
  /** The words after the control, if they ask for just this number, not for at least as many. */
  after: string | undefined;
  pieces: readonly SearchPiece[];
}

/** What words say of the job, by the filters that it is asked for with; what a control can't show is left out. */
export function jobWords(
  catalog: Pick<ListingCatalog, "prepare">,
  search: ParsedSearch | undefined,
): ReadonlyMap<ListingParameterName, JobWords> {
  const found = new Map<ListingParameterName, JobWords>();
  for (const piece of search?.pieces ?? []) {
    // Without conditions they are wishes, such as `for 3 days`
    const said = piece.terms.length === 0 ? catalog.prepare({ q: piece.text }).query : saidBy(piece);
    for (const name of JOB_FILTERS) {
      const value = said[name];
      if (value !== undefined) {
        found.set(name, {
          text: parameterText(value),
          after: isExact(piece) ? exactly(name) : undefined,
          pieces: [...(found.get(name)?.pieces ?? []), piece],
        });
      }
    }
  }
  return found;
}

function exactly(name: ListingParameterName): string | undefined {
  const { control }: ListingParameter = LISTING_PARAMETERS[name];
  return control?.job?.exactly;
}

const isExact = ({ terms: [term] }: SearchPiece): boolean => term?.kind === "compare" && term.operator === "=";

function saidBy({ terms: [term, ...others], text }: SearchPiece): ListingQuery {
  if (others.length > 0) {
    return {};
  }
  if (term?.kind === "place") {
    const continent = CONTINENTS.filter((name) => term.codes.join() === `@${continentCode(name).toLowerCase()}`);
    return continent.length === 0 ? {} : { continent };
  }
  if (term?.kind === "compare" && (term.operator === "=" || term.operator === ">=")) {
    const { field, value } = term;
    return field === "gpuCount" ? { min_gpu_count: value } : field === "disk" ? { disk: value } : {};
  }
  return term?.kind === "gpu" ? { gpu: [text] } : {};
}

/** A text without its words for some filters. */
export function withoutJobWords(
  words: string,
  found: ReadonlyMap<ListingParameterName, JobWords>,
  names: readonly ListingParameterName[],
): string {
  const pieces = names.flatMap((name) => found.get(name)?.pieces ?? []).sort((a, b) => b.start - a.start);
  return pieces
    .reduce((text, piece) => withoutPiece(text, piece), words)
    .replaceAll(/ {2,}/g, " ")
    .trim();
}
