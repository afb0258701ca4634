import { filterOf, LISTING_FILTER_NAMES } from "./listing-parameter-names.js";
import { listingQuerySchema } from "./listing-query-schema.js";
import * as fc from "fast-check";
import { test } from "vitest";
import { ListingCatalog } from "./listing-catalog.js";
import { BESIDE, exampleOf } from "./listing-examples.fixture.js";
import { readParameter } from "./read-parameter.js";
import { arbitraryListing, exampleImage } from "../offer.fixture.js";

// Leads a new filter through its places: each failure is one line that names the next one. CONTRIBUTING.md, A filter.

const listings = fc.sample(arbitraryListing, { seed: 20_261_123, numRuns: 300 });
const images = new Map([
  ["aws", [exampleImage({ id: "ubuntu-22.04", displayName: "Ubuntu 22.04", hasCuda: true, cudaVersion: "12.4" })]],
]);
const catalog = ListingCatalog.of(listings, images);

test.for(LISTING_FILTER_NAMES)("%s filters", (name) => {
  const example = exampleOf(name);
  const read = readParameter(name, example);
  const problems: string[] = [];
  const check = (isRight: boolean, problem: string) => isRight || problems.push(`${name}: ${problem}`);
  if (!read.ok || !listingQuerySchema.safeParse({ [name]: example }).success) {
    problems.push(`${name}: its example in listing-parameter-docs.csv can't be read.`);
  } else {
    const query = listingQuerySchema.parse({ ...BESIDE[name], [name]: example });
    const { selection, problems: unresolved } = catalog.prepare(query);
    check(
      unresolved.length === 0,
      `its example in listing-parameter-docs.csv is invalid: ${unresolved[0]?.reason ?? ""}.`,
    );
    const set = Object.entries(selection.filter).flatMap(([key, value]) => (value === undefined ? [] : [key]));
    const isSet = name === "q" ? selection.words !== undefined : set.includes(filterOf(name));
    check(isSet, "named is set in listing-parameters.ts, but resolveListingQuery (listing-resolve.ts) doesn't set it.");
    const { total } = catalog.select(selection, { page: 0, size: 1 });
    check(
      !isSet || (total > 0 && total < listings.length),
      `its rule in listing-parameters.ts matches ${total} of ${listings.length} different offers with the example ${example}.`,
    );
  }
  if (problems[0] !== undefined) {
    throw new Error(problems[0]);
  }
});
