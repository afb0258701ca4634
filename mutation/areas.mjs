// Files to mutate, and the tests that must notice. Only tests that import the source count: a service that runs as a
// separate process, from its build, never sees a mutant. Tables of facts are left out: only a copy of the table could
// notice a change.

/** Minimum score of every area, in percent. */
export const BAR = 90;

const domain = "packages/domain/src";
const sources = "packages/sources/src";
const client = "packages/client";
const store = "packages/store/src";
const api = "apps/api/src";

const files = (folder, names) => names.map((name) => `${folder}/${name}.ts`);

/** Files and tests of each area, as globs from the root. One that matches nothing fails the run and a default test. */
export const areas = {
  money: {
    mutate: [
      ...files(domain, ["money/money", "offer/{storage,hourly-cost,deployment}", "account/balance"]),
      ...files(store, ["credit.store"]),
    ],
    tests: [
      ...files(domain, ["{money/money,offer/{storage,deployment},account/balance}.test"]),
      ...files(store, ["credit.store.test"]),
    ],
  },
  authentication: {
    mutate: [
      ...files(api, ["keys/bearer-key", "keys/key-cache", "http/access.guard"]),
      ...files(store, ["api-key.store"]),
    ],
    tests: [...files(api, ["keys/*.test", "http/access.guard.test"]), ...files(store, ["api-key*.test"])],
  },
  "parsing-queries": {
    mutate: [
      ...files(domain, ["offer-query/offer-query-schema", "page-size"]),
      ...files(api, ["http/query-parameters", "http/parameters.pipe"]),
    ],
    tests: [
      ...files(domain, ["offer-query/{offer-list,offer-query-schema}.test"]),
      ...files(api, ["http/parameters.pipe.test"]),
    ],
  },
  "parsing-input": {
    mutate: files(sources, ["input/{csv,json,lines,utf8}"]),
    tests: files(sources, ["input/{csv,json,lines,peek-line,utf8}.test"]),
  },
  "parsing-skypilot": {
    mutate: files(sources, ["skypilot/{cells,gpu-of-row,gcp-halves,columns}", "{choose-gpu,gpu-alias}"]),
    tests: files(sources, [
      "skypilot/{cells,gpu-info,gpu-of-row,gcp-halves,read-skypilot}.test",
      "{choose-gpu,gpu-alias}.test",
    ]),
  },
  "parsing-native": {
    mutate: files(sources, ["native/{native-offer,native-schema,read-native}", "read-api-response"]),
    tests: files(sources, ["native/*.test", "read-api-response.test"]),
  },
  paging: {
    mutate: [
      ...files(domain, ["offer-query/{offer-index,offer-index-build,offer-list,offer-sort}", "text/uuid-words"]),
      ...files(client, ["src/pages"]),
    ],
    tests: [
      ...files(domain, ["offer-query/*.test", "text/uuid-words.test"]),
      ...files(client, ["{src,test}/pages.test"]),
    ],
  },
  "import-rows": {
    mutate: files(sources, ["skypilot/{read-skypilot,offer-rows}", "duplicate-tracker", "duplicates"]),
    tests: files(sources, [
      "skypilot/{read-skypilot,gcp-halves}.test",
      "{duplicate-tracker,duplicates,currencies}.test",
    ]),
  },
  "import-store": {
    mutate: files(store, [
      "catalog-import",
      "catalog-removal",
      "catalog-revision",
      "import-problem",
      "offer-row",
      "offer-stage",
    ]),
    tests: [
      ...files(store, [
        "{catalog-import.database,catalog-import-model,listing-facts.database,offer-history.database,observations.database}.test",
      ]),
      // What live sources do with imports: scopes, and offers that expire.
      "packages/sync/src/live-engine.database.test.ts",
    ],
  },
};
