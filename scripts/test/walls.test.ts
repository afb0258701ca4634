import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempFolder } from "../../packages/testkit/src/temp-folder.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const LEFT_OUT = /(?:^|\/)(?:node_modules|dist|catalog|pages|bundled|\.turbo)$/;

/** A copy of what the check reads. */
function copyRepository(): string {
  const copy = tempFolder();
  for (const folder of ["packages", "apps", "bench", "robustness", "scripts"]) {
    cpSync(join(REPOSITORY, folder), join(copy, folder), {
      recursive: true,
      filter: (path) => !LEFT_OUT.test(path) || /\/src\//.test(path),
    });
  }
  mkdirSync(join(copy, "docs"));
  cpSync(join(REPOSITORY, "docs/architecture.md"), join(copy, "docs/architecture.md"));
  return copy;
}

function check(folder: string): { code: number | null; lines: string[] } {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/draw-architecture.mjs", "--check"], {
    cwd: folder,
    encoding: "utf8",
  });
  return { code: status, lines: stderr.split("\n").filter((line) => line !== "") };
}

const PLANTED: readonly (readonly [file: string, line: string, problem: string])[] = [
  // A controller that imports another resource's.
  [
    "apps/api/src/offers/offers.controller.ts",
    'import { HistoryController } from "../history/history.controller.js";',
    "imports ../history/history.controller.js: apps/api/src/offers may import catalog, http, openapi, wire.",
  ],
  [
    "apps/api/src/health/health.controller.ts",
    'export * from "../mcp/agent-tools.js";',
    "imports ../mcp/agent-tools.js: apps/api/src/health may import catalog, http, openapi, wire.",
  ],
  [
    "packages/domain/src/money/money.ts",
    'import { readFileSync } from "node:fs";',
    "imports node:fs: packages/domain may import nothing of Node.",
  ],
  [
    "packages/domain/src/offer/offer.ts",
    'const lru = await import("lru-cache");',
    "imports lru-cache: packages/domain may import zod of other people's packages.",
  ],
  [
    "packages/domain/src/offer/compare.ts",
    'export * from "../search/read-search.js";',
    "imports ../search/read-search.js: packages/domain/src/offer may import money, gpu, place, text, account, provider, image, page-size.",
  ],
  [
    "packages/domain/src/place/region.ts",
    'import * as z from "zod";',
    "imports zod: in packages/domain, zod is for **/*-schema alone.",
  ],
  [
    "packages/list/src/count-text.ts",
    'import type {\n  SourceItem,\n} from "@gpu-offers/sources";',
    "imports @gpu-offers/sources: packages/list may import domain of our packages.",
  ],
  [
    "packages/domain/src/money/money.ts",
    "export const late = import(`lru-cache`);",
    "imports lru-cache: packages/domain may import zod of other people's packages.",
  ],
  [
    "packages/list/src/count-text.ts",
    "export const late = (name: string) => import(`./${name}.js`);",
    "has import(`./${name}.js`): write the name of the module out.",
  ],
  [
    "packages/domain/src/offer/storage.ts",
    'import { exampleOffer } from "./offer.fixture.js";',
    "imports ./offer.fixture.js: fixtures are for tests.",
  ],
  [
    "packages/list/src/count-text.ts",
    'import { exampleOffer } from "@gpu-offers/domain/offer.fixture";',
    "imports @gpu-offers/domain/offer.fixture: fixtures are for tests.",
  ],
  [
    "packages/fetch/src/transport.ts",
    'import { openDatabase } from "@gpu-offers/store/database";',
    "imports @gpu-offers/store/database: packages/fetch may import domain, sources of our packages.",
  ],
  [
    "packages/store/src/tables.ts",
    'import { ConfigError } from "../../fetch/src/config-error.js";',
    "imports ../../fetch/src/config-error.js: another package is imported by its name.",
  ],
  [
    "packages/store/test/databases.ts",
    'import "../../testkit/src/http.ts";',
    "imports ../../testkit/src/http.ts: another package is imported by its name.",
  ],
  [
    "apps/api/src/wire/framing.ts",
    'import { createApp } from "../app.js";',
    "imports ../app.js: apps/api/src/wire may import catalog, config, foundation, keys, log.",
  ],
  [
    "apps/api/src/catalog/load-snapshot.ts",
    'const { runCommandLine } = require("@gpu-offers/admin/command-line");',
    "imports @gpu-offers/admin/command-line: in apps/api, @gpu-offers/admin is for admin alone.",
  ],
  [
    "apps/admin/src/table.ts",
    'import { pg } from "pg";',
    "imports pg: apps/admin may import commander, pino, string-width, yaml, zod of other people's packages.",
  ],
  [
    "apps/tui/src/picker/state.ts",
    "import { useState } from 'react';",
    "imports react: in apps/tui, react is for screen alone.",
  ],
];

test("every import that the walls forbid is named with its file and rule", () => {
  const copy = copyRepository();
  expect(check(copy)).toEqual({ code: 0, lines: [] });
  for (const [file, line] of PLANTED) {
    appendFileSync(join(copy, file), `${line}\n`);
  }
  const { code, lines } = check(copy);
  expect(code).toBe(1);
  for (const [file, , problem] of PLANTED) {
    expect(lines).toContain(`${file} ${problem}`);
  }
});

test("an unlisted folder, an undeclared package and an old picture are named", () => {
  const copy = copyRepository();
  const added = join(copy, "apps/api/src/coupons/coupons.controller.ts");
  mkdirSync(dirname(added));
  writeFileSync(added, "export const COUPONS = [];\n");
  const manifest = join(copy, "packages/agent/package.json");
  writeFileSync(
    manifest,
    readFileSync(manifest, "utf8").replace('"@gpu-offers/domain"', '"@gpu-offers/store": "workspace:^", $&'),
  );
  const page = join(copy, "docs/architecture.md");
  writeFileSync(page, readFileSync(page, "utf8").replace("  sync --> store\n", ""));
  const { code, lines } = check(copy);
  expect(code).toBe(1);
  expect(lines).toEqual([
    "apps/api/src/coupons has no row in scripts/walls.mjs.",
    "packages/agent/package.json depends on store, domain of our packages; scripts/walls.mjs allows domain.",
    "The picture in docs/architecture.md is out of date: run node scripts/draw-architecture.mjs",
  ]);
});
