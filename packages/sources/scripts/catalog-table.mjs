#!/usr/bin/env node
// Writes what the SkyPilot reader makes of real catalogs into packages/sources/README.md, between its two markers:
// `node packages/sources/scripts/catalog-table.mjs FOLDER`, after a build, with a folder of vms*.csv in folders named after their clouds.

import { createReadStream, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCatalog } from "@gpu-offers/sources";

const README = new URL("../README.md", import.meta.url);
const [folder = ""] = process.argv.slice(2);

const share = (part, all) => (all === 0 ? "" : `${Math.floor((100 * part) / all)} %`);

const rows = [];
for (const path of globSync("**/vms*.csv", { cwd: folder }).toSorted()) {
  const { items } = await openCatalog(createReadStream(join(folder, path)), { path });
  const rejected = new Map();
  const offers = [];
  for await (const item of items) {
    if (item.kind === "offer") offers.push(item.offer);
    else if (item.kind === "rejection") rejected.set(item.code, (rejected.get(item.code) ?? 0) + 1);
  }
  const count = (test) => offers.filter(test).length;
  const gpuRows = offers.length + [...rejected.values()].reduce((sum, value) => sum + value, 0);
  rows.push([
    `\`${path}\``,
    gpuRows,
    offers.length,
    [...rejected].map(([code, value]) => `${value} \`${code}\``).join(", "),
    share(
      count(({ regionInfo }) => regionInfo.countryCode !== "ZZ"),
      offers.length,
    ),
    count(({ nvlinkEnabled }) => nvlinkEnabled),
    count(({ isAvailable }) => isAvailable),
  ]);
}
const header = ["file", "GPU rows", "offers", "rejected", "placed", "with NVLink", "available"];
const lines = [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
const text = readFileSync(README, "utf8");
const between = /(<!-- catalogs -->\n)[\s\S]*?(<!-- \/catalogs -->)/;
if (!between.test(text)) throw new Error("packages/sources/README.md has no markers <!-- catalogs -->.");
writeFileSync(
  README,
  text.replace(between, (_, start, end) => `${start}\n${lines.join("\n")}\n${end}`),
);
