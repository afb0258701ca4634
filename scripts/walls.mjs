// What each package and each of its folders may import. The picture in docs/architecture.md is drawn from this table, and
// `node scripts/draw-architecture.mjs --check` fails for every import that it doesn't allow. Tests are free, except that
// they too import another package by its name.
//
// - ours: packages of this repository.
// - others: third-party packages; where it is missing, those that the manifest declares.
// - isBundled: it is published as a bundle, so the manifest declares what it contains for development alone.
// - forTests: our packages that only its tests import; said where the manifest doesn't tell them apart.
// - node: modules of Node; where it is missing, all.
// - only: a package that only some files or folders may import.
// - folders: what each folder may import: folders listed above it, files directly in src by name, or "." for all of those.
//   A file directly in src may import every folder, unless it is listed here too.

/** The nouns of the domain that an offer has. */
const OFFERED = ["money", "gpu", "place", "text", "provider", "image", "offer"];

export const walls = {
  "packages/domain": {
    ours: [],
    others: ["zod"],
    node: [],
    only: { zod: ["**/*-schema"] },
    folders: {
      present: [],
      memoized: [],
      "page-size": [],
      "position-bits": ["present"],
      money: [],
      gpu: [],
      place: [],
      text: ["money", "page-size", "present"],
      error: [],
      account: ["money"],
      provider: [],
      image: ["text"],
      offer: ["money", "gpu", "place", "text", "account", "provider", "image", "page-size"],
      model: ["present", "gpu", "text", "offer"],
      columns: ["present", "memoized", "position-bits", "text", "offer"],
      search: ["present", "memoized", "position-bits", ...OFFERED, "columns"],
      "offer-query": [".", "money", "gpu", "place", "text", "image", "offer", "search"],
      "listing-query": [".", ...OFFERED, "model", "columns", "search", "offer-query"],
      launch: [...OFFERED, "listing-query"],
      market: [".", "money", "gpu", "text", "offer", "search"],
      paging: ["offer-query"],
      launching: ["launch"],
      gpus: ["gpu", "market"],
      query: ["listing-query"],
    },
  },
  "packages/list": { ours: ["domain"], others: [], node: [] },
  "packages/completion": { ours: [], others: ["commander"], node: [] },
  "packages/sources": {
    ours: ["domain"],
    others: ["countries-list", "fflate", "uuid", "zod"],
    node: ["buffer", "stream"],
    folders: {
      input: ["."],
      instance: [],
      region: [],
      native: [".", "input", "region"],
      skypilot: [".", "input", "instance", "region"],
      live: [".", "input", "instance", "region", "skypilot"],
    },
  },
  "packages/store": { ours: ["domain", "sources"], folders: { migrations: [] } },
  "packages/fetch": { ours: ["domain", "sources"] },
  "packages/sync": { ours: ["domain", "sources", "store", "fetch"], node: ["crypto"] },
  "packages/client": { ours: ["domain"], others: ["zod"], node: [] },
  "packages/agent": { ours: ["domain"], others: ["@modelcontextprotocol/server", "zod"], node: [] },
  "apps/admin": { ours: ["domain", "completion", "sources", "store", "fetch", "sync"] },
  "apps/api": {
    ours: ["domain", "list", "sources", "store", "fetch", "sync", "agent", "admin"],
    only: {
      "@gpu-offers/list": ["web"],
      "@gpu-offers/admin": ["admin"],
      "@gpu-offers/agent": ["mcp"],
      "@gpu-offers/sync": ["config", "live", "metrics"],
      "@modelcontextprotocol/server": ["mcp"],
      "prom-client": ["metrics", "wire"],
    },
    folders: {
      "package-folder": [],
      admin: ["package-folder", "start"],
      catalog: [],
      config: [],
      keys: [],
      log: ["config", "keys", "log-output"],
      tracing: ["config", "keys"],
      foundation: ["catalog", "config", "log", "package-folder", "tracing"],
      wire: ["catalog", "config", "foundation", "keys", "log"],
      http: ["catalog", "foundation", "keys", "wire"],
      openapi: ["catalog", "foundation", "http", "package-folder", "wire"],
      accounts: ["http", "openapi"],
      health: ["catalog", "http", "openapi", "wire"],
      listings: ["catalog", "http", "openapi", "wire"],
      gpus: ["catalog", "foundation", "http", "listings", "openapi", "wire"],
      web: ["catalog", "foundation", "gpus", "http", "keys", "listings", "package-folder", "wire"],
      mcp: ["catalog", "foundation", "gpus", "http", "keys", "listings", "wire"],
      history: ["http", "openapi", "wire"],
      metrics: ["catalog", "foundation", "http", "listings", "openapi", "wire"],
      live: ["config", "foundation", "log", "metrics"],
      offers: ["catalog", "http", "openapi", "wire"],
      providers: ["catalog", "http", "openapi", "wire"],
      sources: ["catalog", "http", "openapi"],
    },
  },
  "apps/web": { ours: ["domain", "list"], others: ["preact"], node: [] },
  "apps/tui": {
    isBundled: true,
    ours: ["domain", "list", "completion", "sources", "fetch", "client", "agent"],
    forTests: ["testkit", "web"],
    only: { "@gpu-offers/sources": ["catalog"], "@gpu-offers/fetch": ["catalog"], ink: ["screen"], react: ["screen"] },
    folders: {
      text: [],
      "exit-codes": [],
      output: ["exit-codes", "text"],
      catalog: ["exit-codes", "output", "text"],
      picker: ["catalog", "exit-codes", "output", "text"],
      prompts: ["catalog", "exit-codes", "output", "picker"],
      screen: ["output", "picker", "text"],
      cli: ["catalog", "exit-codes", "output", "picker", "prompts", "screen", "user-folder"],
    },
  },
};
