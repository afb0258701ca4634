import type { ListingParameterName } from "./listing-parameters.js";
import { parameterDocs } from "./listing-parameter-docs.facts.js";

// What the parameters of the listing query mean, for the documentation of each door.

/** The documentation of a parameter. */
export interface ListingParameterDocs {
  /** For documentation, in sentences. */
  description: string;
  /** For help, at most 60 characters, beginning in lower case. */
  help: string;
  /** For agents, where the name and the kind don't say enough; as short as possible. */
  hint?: string;
  /** Values as people write them. */
  examples: readonly [string, ...string[]];
}

/** The documentation of every parameter of the listing query, by its name in the HTTP API: facts/listing-parameter-docs.csv. */
export const LISTING_PARAMETER_DOCS: Readonly<Record<ListingParameterName, ListingParameterDocs>> = parameterDocs;
