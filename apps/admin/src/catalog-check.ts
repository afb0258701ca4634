import type { Offer } from "@gpu-offers/domain";
import { CatalogQuality, OFFERS_FOR_MEDIAN, type QualityFindings, type SuspiciousPrice } from "@gpu-offers/sources";
import { InvalidArgumentError, type Command } from "commander";
import * as z from "zod";
import { priceTime, readSourceFacts, type ProviderOrigin } from "@gpu-offers/store/source-facts";
import { readFacts } from "@gpu-offers/store/offer-row";
import { readCatalog } from "@gpu-offers/store/catalog.store";
import type { Database } from "@gpu-offers/store/database";
import { withReadOnly } from "./admin-database.js";
import { CommandFailure } from "./command-failure.js";
import { addUsage, type JsonOption } from "./command-usage.js";
import { counted } from "./counted.js";
import { invocation } from "./invocation.js";
import { print } from "./output.js";
import { formatTable, type Columns } from "./table.js";

const providerAgeJson = z.strictObject({
  provider: z.string(),
  source: z.string().nullable().describe("the live source; null if the provider was imported from a file"),
  prices_as_of: z.string().nullable().describe("time of the prices, as in GET /api/v2/sources; null if unknown"),
  days: z.int().nullable().describe("age of the prices in days; null if unknown"),
});

/** Output of `catalog check`. */
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

interface Options extends JsonOption {
  priceFactor: number;
  maxAge: number;
  strict?: true;
}

const DAY_MS = 86_400_000;

/** `catalog check`: reports missing facts and suspicious prices. */
export function addCatalogCheck(catalog: Command): void {
  addUsage(
    catalog
      .command("check")
      .description("Review the quality of the catalog, for example after an import")
      .option("--price-factor <number>", "flag prices this many times above or below the median", parseFactor, 4)
      .option("--max-age <days>", "flag prices older than this many days", parseDays, 90)
      .option("--strict", "exit with status 1 if there are findings"),
    {
      json: catalogCheckJson,
      notes: `Reports offers with an unknown location or unknown NVLink, prices far from the median
for their GPU model (with ${OFFERS_FOR_MEDIAN} or more offers), providers that list every type in
every region, and old prices. Findings are hints, so the exit status is 0 unless
--strict is set.`,
      examples: [
        "gpu-offers-admin catalog check",
        "gpu-offers-admin catalog check --price-factor 10 --strict",
        "gpu-offers-admin catalog check --json | jq '.suspicious_prices[]'",
      ],
    },
  ).action(run);
}

async function run(options: Options): Promise<void> {
  const report = await withReadOnly((database) => check(database, options));
  if (report === undefined) {
    throw new CommandFailure(`the catalog is empty. Import a file first: ${invocation("catalog", "import", "--help")}`);
  }
  await print(catalogCheckJson, report, options, () => format(report));
  if (options.strict === true && report.findings > 0) {
    throw new CommandFailure(`${counted(report.findings, "finding")}.`);
  }
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
    return toReport(quality.found(), {
      revision: revision.revision,
      providers: providers.length,
      price_factor: priceFactor,
      max_age_days: maxAge,
      old_providers: old.sort((a, b) => (b.days ?? Infinity) - (a.days ?? Infinity)),
    });
  });
}

type Frame = Pick<Report, "revision" | "providers" | "price_factor" | "max_age_days" | "old_providers">;

function toReport(found: QualityFindings, frame: Frame): Report {
  const { offers, unlocatedRegions, unknownNvlink, suspiciousPrices, crossProducts } = found;
  const lists = [unlocatedRegions, unknownNvlink, suspiciousPrices, crossProducts, frame.old_providers];
  return {
    ...frame,
    offers,
    findings: lists.reduce((sum, list) => sum + list.length, 0),
    located: offers - sumOf(unlocatedRegions),
    unlocated_regions: unlocatedRegions,
    unknown_nvlink: unknownNvlink,
    suspicious_prices: suspiciousPrices,
    cross_products: crossProducts,
  };
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

function parseFactor(text: string): number {
  const factor = /^\d{1,4}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (factor <= 1) {
    throw new InvalidArgumentError("It must be greater than 1, such as 4.");
  }
  return factor;
}

function parseDays(text: string): number {
  if (!/^\d{1,5}$/.test(text)) {
    throw new InvalidArgumentError("It must be a whole number of days, such as 90.");
  }
  return Number(text);
}
