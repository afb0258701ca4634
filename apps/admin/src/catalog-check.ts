import type { Offer } from "@gpu-offers/domain";
import { CatalogQuality, OFFERS_FOR_MEDIAN, type SuspiciousPrice } from "@gpu-offers/sources";
import * as z from "zod";
import { priceTime, readSourceFacts, type ProviderOrigin } from "@gpu-offers/store/source-facts";
import { readFacts } from "@gpu-offers/store/offer-row";
import { readCatalog } from "@gpu-offers/store/catalog.store";
import type { Database } from "@gpu-offers/store/database";
import { withReadOnly } from "./admin-database.js";
import { CommandFailure, type AdminCommand } from "./command.js";
import { invocation } from "./invocation.js";
import { parseDays, parseFactor } from "./option-values.js";
import { counted, formatTable, type Columns } from "./table.js";

const providerAgeJson = z.strictObject({
  provider: z.string(),
  source: z.string().nullable().describe("the live source; null if the provider was imported from a file"),
  prices_as_of: z.string().nullable().describe("time of the prices, as in GET /api/v2/sources; null if unknown"),
  days: z.int().nullable().describe("age of the prices in days; null if unknown"),
});

export const catalogCheckJson = z.strictObject({
  revision: z.int(),
  offers: z.int(),
  providers: z.int(),
  findings: z.int().describe("number of entries in the lists below"),
  located: z.int().describe("offers whose country is known"),
  unlocated_regions: z.array(z.strictObject({ provider: z.string(), region: z.string(), offers: z.int() })),
  unknown_nvlink: z
    .array(z.strictObject({ provider: z.string(), gpu: z.string(), offers: z.int() }))
    .describe("multi-GPU offers of NVLink-capable GPUs for which no source says whether they have it"),
  price_factor: z.number(),
  suspicious_prices: z
    .array(
      z.strictObject({
        provider: z.string(),
        gpu: z.string(),
        direction: z.enum(["above", "below"]),
        offers: z.int(),
        lowest: z.number(),
        highest: z.number(),
        median: z.number(),
      }),
    )
    .describe("offers far from the median price of their GPU model; all prices in USD per GPU and hour"),
  cross_products: z
    .array(z.strictObject({ provider: z.string(), types: z.int(), places: z.int() }))
    .describe("providers that list every type in every region"),
  max_age_days: z.int(),
  old_providers: z.array(providerAgeJson).describe("providers whose prices are older than that, or of unknown age"),
});

type Report = z.infer<typeof catalogCheckJson>;
type ProviderAge = z.infer<typeof providerAgeJson>;

interface Options {
  priceFactor: number;
  maxAge: number;
  strict?: true;
}

const DAY_MS = 86_400_000;

/** `catalog check`: reports missing facts and suspicious prices. */
export function addCatalogCheck(catalog: AdminCommand): void {
  catalog
    .command("check")
    .description("Review the quality of the catalog, for example after an import")
    .option("--price-factor <number>", "flag prices this many times above or below the median", parseFactor, 4)
    .option("--max-age <days>", "flag prices older than this many days", parseDays, 90)
    .option("--strict", "exit with status 1 if there are findings")
    .notes(
      `Reports offers with an unknown location or unknown NVLink, prices far from the median
for their GPU model (with ${OFFERS_FOR_MEDIAN} or more offers), providers that list every type in
every region, and old prices. Findings are hints, so the exit status is 0 unless
--strict is set.`,
    )
    .examples(
      "gpu-offers-admin catalog check",
      "gpu-offers-admin catalog check --price-factor 10 --strict",
      "gpu-offers-admin catalog check --json | jq '.suspicious_prices[]'",
    )
    .prints(catalogCheckJson, run);
}

async function run(options: Options) {
  const report = await withReadOnly((database) => check(database, options));
  if (report === undefined) {
    throw new CommandFailure(`the catalog is empty. Import a file first: ${invocation("catalog", "import", "--help")}`);
  }
  const isFailed = options.strict === true && report.findings > 0;
  const failure = isFailed ? `${counted(report.findings, "finding")}.` : undefined;
  return { json: report, text: format(report), failure };
}

async function check(database: Database, { priceFactor, maxAge }: Options): Promise<Report | undefined> {
  const facts = await readSourceFacts(database);
  return readCatalog(database, async ({ revision, providers }, offers) => {
    const quality = new CatalogQuality(priceFactor);
    for await (const stored of offers) {
      quality.add(JSON.parse(stored.body) as Offer, readFacts(stored).instanceType);
    }
    const old = facts.providers
      .map((origin) => ageOf(origin, priceTime(origin, facts)))
      .filter(({ days }) => days === null || days > maxAge);
    const found = quality.found();
    const lists = {
      unlocated_regions: found.unlocatedRegions,
      unknown_nvlink: found.unknownNvlink,
      suspicious_prices: found.suspiciousPrices,
      cross_products: found.crossProducts,
      old_providers: old.sort((a, b) => (b.days ?? Infinity) - (a.days ?? Infinity)),
    };
    return {
      ...lists,
      revision: revision.revision,
      offers: found.offers,
      providers: providers.length,
      findings: Object.values(lists).reduce((sum, list) => sum + list.length, 0),
      located: found.offers - sumOf(found.unlocatedRegions),
      price_factor: priceFactor,
      max_age_days: maxAge,
    };
  });
}

function ageOf({ name, source }: ProviderOrigin, time: string | null): ProviderAge {
  const days = time === null ? null : Math.max(0, Math.floor((Date.now() - Date.parse(time)) / DAY_MS));
  return { provider: name, source, prices_as_of: time, days };
}

/** Maximum rows printed per list; --json has all of them. */
const MAX_LISTED = 20;

function format(report: Report): string {
  const { offers, located, unknown_nvlink: nvlink, suspicious_prices: prices, cross_products: products } = report;
  const old = report.old_providers;
  return [
    `Revision ${report.revision}: ${counted(offers, "offer")} from ${counted(report.providers, "provider")}`,
    ...section(
      `Locations: ${located === offers ? "all offers are located" : `${counted(offers - located, "offer")} without a known country (${shareOf(located, offers)} located)`}`,
      { PROVIDER: "provider", REGION: ({ region }) => JSON.stringify(region), OFFERS: "offers" },
      report.unlocated_regions,
    ),
    ...section(
      `NVLink: ${nvlink.length === 0 ? "known for all multi-GPU offers that can have it" : `unknown for ${counted(sumOf(nvlink), "multi-GPU offer")}`}`,
      { PROVIDER: "provider", GPU: "gpu", OFFERS: "offers" },
      nvlink,
    ),
    ...section(
      `Prices: ${prices.length === 0 ? `all within ${report.price_factor}x of` : `${counted(sumOf(prices), "offer")} more than ${report.price_factor}x above or below`} the GPU model's median`,
      { PROVIDER: "provider", GPU: "gpu", OFFERS: "offers", "USD/GPU/H": rangeOf, MEDIAN: "median" },
      prices,
    ),
    ...section(
      `Cross products: ${products.length === 0 ? "none" : "these providers list every type in every region, so their rows don't prove availability"}`,
      { PROVIDER: "provider", TYPES: "types", REGIONS: "places" },
      products,
    ),
    ...section(
      old.length === 0
        ? `Ages: all prices are at most ${report.max_age_days} days old`
        : `Ages: ${counted(old.length, "provider")} with prices older than ${report.max_age_days} days, or of unknown age`,
      {
        PROVIDER: "provider",
        SOURCE: "source",
        "AS OF": ({ prices_as_of: time }) => time?.slice(0, 10) ?? null,
        DAYS: "days",
      },
      old,
    ),
    "",
    report.findings === 0 ? "No findings." : `${counted(report.findings, "finding")}.`,
  ].join("\n");
}

function section<Row>(title: string, columns: Columns<Row>, rows: readonly Row[]): string[] {
  const more = rows.length - MAX_LISTED;
  return [
    "",
    title,
    ...(rows.length === 0 ? [] : [formatTable(columns, rows.slice(0, MAX_LISTED), ["REGION"])]),
    ...(more > 0 ? [`and ${more} more; --json lists all`] : []),
  ];
}

function rangeOf({ lowest, highest }: SuspiciousPrice): string {
  return lowest === highest ? `${lowest}` : `${lowest} to ${highest}`;
}

function sumOf(findings: readonly { offers: number }[]): number {
  return findings.reduce((sum, { offers }) => sum + offers, 0);
}

/** A share in percent, rounded down so that 100% means all. */
function shareOf(part: number, whole: number): string {
  return `${Math.floor((part / whole) * 1_000) / 10}%`;
}
