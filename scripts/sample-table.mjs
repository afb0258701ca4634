// Writes the table of real catalog files in packages/sources/README.md, from the files themselves. The packages must be
// built, and scripts/fetch-samples.mjs must have fetched the files:
//
//     node scripts/sample-table.mjs [folder]      by default samples/
import { createReadStream, globSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
// oxlint-disable-next-line no-restricted-imports -- scripts run on the built packages
import { canHaveNvlink, CrossProductDetector, findInstanceType, openCatalog } from "../packages/sources/dist/index.js";

const README = new URL("../packages/sources/README.md", import.meta.url);
const BEGIN = "<!-- samples -->";
const END = "<!-- end of samples -->";

const folder = join(resolve(process.argv[2] ?? "samples"), "data/skypilot-catalog");
const files = globSync("**/vms*.csv", { cwd: folder }).sort();
if (files.length === 0) {
  throw new Error(`There are no catalog files in ${folder}; fetch them with scripts/fetch-samples.mjs.`);
}

const counted = (value) => value.toLocaleString("en-US");

/** A part of a whole as `3 of 4`, or `-` where there is no whole. */
const partOf = (part, whole) => (whole === 0 ? "-" : `${counted(part)} of ${counted(whole)}`);

/** Whether it is known that NVLink joins the GPUs of an offer, or that it does not. */
const knowsNvlink = ({ offer, instanceType }) =>
  offer.nvlinkEnabled || typeof findInstanceType(offer.provider.name, instanceType ?? "")?.nvlink === "boolean";

async function rowOf(file) {
  const path = join(folder, file);
  const { items, provider } = await openCatalog(createReadStream(path), { path });
  const offers = [];
  const rejections = new Map();
  const detector = new CrossProductDetector();
  for await (const item of items) {
    if (item.kind === "offer") {
      offers.push(item);
      detector.add(item);
    } else if (item.kind === "rejection") {
      rejections.set(item.code, (rejections.get(item.code) ?? 0) + 1);
    }
  }
  const rejected = [...rejections.values()].reduce((sum, count) => sum + count, 0);
  const located = offers.filter(({ offer }) => offer.regionInfo.countryCode !== "ZZ").length;
  const several = offers.filter(({ offer }) => offer.gpuCount > 1 && canHaveNvlink(offer.gpu.slug));
  const isCrossProduct = detector.found().length > 0;
  const available = isCrossProduct ? 0 : offers.filter(({ offer }) => offer.isAvailable).length;
  return [
    `${provider} (${file.split(/[/\\]/)[0]})`,
    counted(offers.length + rejected),
    counted(offers.length),
    [...rejections].map(([code, count]) => `${counted(count)} \`${code}\``).join(", ") || "-",
    partOf(located, offers.length),
    partOf(several.filter(knowsNvlink).length, several.length),
    `${counted(available)}${isCrossProduct ? " (cross product)" : ""}`,
  ];
}

const HEAD = ["catalog", "rows", "offers", "rejected", "located", "NVLink known", "available"];
const rows = [];
for (const file of files) {
  rows.push(await rowOf(file));
}
const table = [HEAD, HEAD.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
const readme = readFileSync(README, "utf8");
const [before, rest] = readme.split(BEGIN);
const after = rest?.split(END)[1];
if (after === undefined) {
  throw new Error(`${README.pathname} has no lines ${BEGIN} and ${END}.`);
}
writeFileSync(README, `${before}${BEGIN}\n\n${table}\n\n${END}${after}`);
