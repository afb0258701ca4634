import { readFileSync } from "node:fs";
import { canHaveNvlink, knowsNvlink } from "../catalog-quality.js";
import { CrossProductDetector } from "../cross-product.js";
import { withTable } from "../markdown-table.fixture.js";
import { ofKind } from "../source.fixture.js";
import { catalogs, names, rowsOf, type CatalogName } from "./catalogs.fixture.js";

// The README's table of real files, generated from the files themselves.

/** The README of the package. */
export const readme = new URL("../../README.md", import.meta.url);

const HEAD = ["catalog", "rows", "offers", "rejected", "located", "NVLink known", "available"];

const byFile = names.toSorted((a, b) => catalogs[a].file.localeCompare(catalogs[b].file));

/** The expected README with its table. The samples must have been read. */
export function readmeWithTable(): string {
  return withTable(readFileSync(readme, "utf8"), "catalogs", [HEAD, ...byFile.map(cellsOf)]);
}

function cellsOf(name: CatalogName): string[] {
  const [version = "", cloud = ""] = catalogs[name].file.split("/");
  const items = rowsOf(name).map(({ item }) => item);
  const offers = ofKind(items, "offer");
  const rejections = Map.groupBy(ofKind(items, "rejection"), ({ code }) => code);
  const rejected = [...rejections.values()].reduce((sum, { length }) => sum + length, 0);
  const located = offers.filter(({ offer }) => offer.regionInfo.countryCode !== "ZZ");
  const joinable = offers.filter(({ offer }) => offer.gpuCount > 1 && canHaveNvlink(offer.gpu.slug));
  const detector = new CrossProductDetector();
  offers.forEach((item) => detector.add(item));
  const isCrossProduct = detector.found().length > 0;
  const available = isCrossProduct ? [] : offers.filter(({ offer }) => offer.isAvailable);
  return [
    `${cloud} (${version})`,
    counted(offers.length + rejected),
    counted(offers.length),
    [...rejections].map(([code, { length }]) => `${counted(length)} \`${code}\``).join(", ") || "-",
    partOf(located.length, offers.length),
    partOf(
      joinable.filter(({ offer, instanceType }) => knowsNvlink(offer, instanceType ?? null)).length,
      joinable.length,
    ),
    `${counted(available.length)}${isCrossProduct ? " (cross product)" : ""}`,
  ];
}

const counted = (value: number) => value.toLocaleString("en-US");

/** A part of a whole as `3 of 4`, or `-` if the whole is 0. */
const partOf = (part: number, whole: number) => (whole === 0 ? "-" : `${counted(part)} of ${counted(whole)}`);
