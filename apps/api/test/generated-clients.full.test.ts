import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { makeAccount } from "@gpu-offers/testkit/accounts";
import { findPackages } from "@gpu-offers/testkit/package-command";
import { publishedDocument } from "@gpu-offers/testkit/published-document";
import { startCommand, type Ended } from "@gpu-offers/testkit/running-process";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";

// Clients generated from the OpenAPI document by third-party generators, compiled strictly and run against the service. The
// generators need TypeScript 5.

const packages = findPackages([
  "openapi-typescript@7.13.0",
  "openapi-fetch@0.17.0",
  "@hey-api/openapi-ts@0.95.0",
  "typescript@5.9.3",
]);

const CONFIG = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: "es2022",
    module: "nodenext",
    moduleResolution: "nodenext",
    lib: ["es2022", "dom", "dom.iterable"],
    types: [],
    skipLibCheck: true,
    outDir: "out",
  },
  include: ["*.ts", "hey/**/*.ts"],
};

const HEY_CONFIG = `export default {
  input: "openapi.json",
  output: { path: "hey", importFileExtension: ".js" },
  plugins: ["@hey-api/client-fetch"],
};
`;

const ENVIRONMENT = "declare const process: { env: Record<string, string | undefined> };\n";

const PRINT = `console.log(JSON.stringify([
  list.data.totalElements,
  one.data?.priceHourly === list.data.offers[0]?.priceHourly,
  invalid.error?.code,
  images.data?.data.filter(({ isDefault }) => isDefault).length,
  balance.data?.balance,
]));
`;

const WITH_OPENAPI_FETCH = `
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const client = createClient<paths>({ baseUrl: process.env["URL"] ?? "" });
const query = { gpu: "h100-sxm,h100-pcie", size: 1, sort_by: "priceHourly" } as const;
const list = await client.GET("/api/v1/offers", { params: { query } });
if (list.error) throw new Error(list.error.message);
const id = list.data.offers[0]?.id ?? "";
const one = await client.GET("/api/v1/offers/{id}", { params: { path: { id } } });
const invalid = await client.GET("/api/v1/offers", { params: { query: { size: 0 } } });
const images = await client.GET("/api/v1/providers/{provider}/images", { params: { path: { provider: "aws" } } });
const headers = { Authorization: "Bearer " + process.env["KEY"] };
const balance = await client.GET("/api/v1/account/balance", { headers });
${PRINT}`;

const WITH_HEY_API = `
import { client } from "./hey/client.gen.js";
import { getBalance, getOffer, listOffers, listOsImages } from "./hey/index.js";

client.setConfig({ baseUrl: process.env["URL"] ?? "", auth: () => process.env["KEY"] });
const query = { gpu: "h100-sxm,h100-pcie", size: 1, sort_by: "priceHourly" } as const;
const list = await listOffers({ query });
if (list.data === undefined) throw new Error("no list");
const one = await getOffer({ path: { id: list.data.offers[0]?.id ?? "" } });
const invalid = await listOffers({ query: { size: 0 } });
const images = await listOsImages({ path: { provider: "aws" } });
const balance = await getBalance();
${PRINT}`;

describe.skipIf(packages === undefined)("clients generated from the OpenAPI document", { timeout: 120_000 }, () => {
  const folder = tempFolder();
  let service: Service;
  let key: string;

  beforeAll(async () => {
    service = await startService();
    ({ key } = await makeAccount(service.databasePath));
    const { raw } = await publishedDocument(service);
    symlinkSync(join(packages ?? "", "node_modules"), join(folder, "node_modules"));
    mkdirSync(join(folder, "hey"));
    const files: Record<string, string> = {
      "package.json": '{ "private": true, "type": "module" }',
      "tsconfig.json": JSON.stringify(CONFIG),
      "hey.config.mjs": HEY_CONFIG,
      "openapi.json": JSON.stringify(raw),
      "environment.d.ts": ENVIRONMENT,
      "with-openapi-fetch.ts": WITH_OPENAPI_FETCH,
      "with-hey-api.ts": WITH_HEY_API,
    };
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(folder, name), text);
    }
  });

  const run = (program: string, args: string[], settings: Record<string, string> = {}): Promise<Ended> =>
    startCommand(process.execPath, [join(folder, program), ...args], settings, { cwd: folder }).ended;

  test("compile without an error, and read offers, images, an error and a balance", async () => {
    const bin = "node_modules/.bin";
    expect(await run(`${bin}/openapi-typescript`, ["openapi.json", "-o", "schema.d.ts"])).toMatchObject({ code: 0 });
    expect(await run(`${bin}/openapi-ts`, ["-f", "hey.config.mjs"])).toMatchObject({ code: 0 });
    expect((await run(`${bin}/tsc`, ["-p", "."])).stdout).toBe("");
    for (const program of ["with-openapi-fetch", "with-hey-api"]) {
      const { stdout, stderr } = await run(`out/${program}.js`, [], { URL: service.url, KEY: key });
      expect([program, stderr]).toEqual([program, ""]);
      expect(JSON.parse(stdout)).toEqual([expect.any(Number), true, "invalid_parameter", 1, "0.0000"]);
    }
  });
});
