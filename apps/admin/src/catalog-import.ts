import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { InvalidArgumentError, Option } from "commander";
import { parse } from "yaml";
import * as z from "zod";
import { PROVIDER_TYPES, reasonOf } from "@gpu-offers/domain";
import {
  CATALOG_FORMATS,
  currencyOf,
  ecbRequest,
  findLiveSource,
  findTables,
  openCatalog,
  parseGpuAliases,
  SourceError,
  TABLE_NAMES,
  type CatalogFormat,
  type GpuAliases,
  type OpenedCatalog,
  type PriceListColumns,
  type ProviderType,
} from "@gpu-offers/sources";
import { loadSourceModules } from "@gpu-offers/fetch/source-modules";
import { readSharedSettings } from "@gpu-offers/sync/settings";
import { requestKey } from "@gpu-offers/fetch/source-run";
import { readGpuAliases } from "@gpu-offers/fetch/gpu-alias-file";
import type { GateRule } from "@gpu-offers/store/quarantine";
import { importCatalog, type ImportReport } from "@gpu-offers/store/catalog-import";
import type { Database } from "@gpu-offers/store/database";
import { foldPast } from "@gpu-offers/store/folded-steps";
import { listProviders } from "@gpu-offers/store/catalog.store";
import { findStoredRate } from "@gpu-offers/store/response.store";
import { DEFAULT_REJECTION_LIMIT, type RejectionLimit } from "@gpu-offers/store/import-problem";
import { withNewDatabase, withPreview } from "./admin-database.js";
import { CommandFailure, type AdminCommand } from "./command.js";
import { openInput } from "./import-input.js";
import { catalogImportJson, formatReport, toJson } from "./import-report.js";
import { invocation } from "./invocation.js";
import { parseCurrency, parsePastDay, parseProvider, parseRate, parseRejectionLimit } from "./option-values.js";
import { formatCount } from "./table.js";

interface Options {
  format?: CatalogFormat;
  provider?: string;
  columns?: string;
  tables?: string;
  type?: ProviderType;
  currency?: string;
  rate?: number;
  asOf?: string;
  dryRun?: true;
  maxRejected: RejectionLimit;
  gpuAlias?: string[];
  gpuAliases?: string;
  acceptChanges?: true;
  force?: true;
  historyOnly?: true;
  older?: true;
}

/** `catalog import`: reads a file into the catalog. */
export function addCatalogImport(catalog: AdminCommand): void {
  catalog
    .command("import")
    .description("Import a catalog file, atomically replacing the offers of each provider in it")
    .argument("<file>", "the file, or - for standard input")
    .addOption(new Option("--format <format>", "format of the file (default: detected)").choices(CATALOG_FORMATS))
    .option("--provider <name>", "provider of all offers (SkyPilot default: folder of vms.csv)", parseProvider)
    .option("--columns <file>", "YAML file that says which column of your own CSV holds which fact")
    .option("--tables <provider>", "use this provider's region and type tables (SkyPilot)", parseTables)
    .addOption(
      new Option("--type <type>", "provider type (default: current type, or vm if new)").choices(PROVIDER_TYPES),
    )
    .option("--currency <code>", "currency of prices that state none (SkyPilot: the cloud's)", parseCurrency)
    .option("--rate <usd>", "USD for one unit of that currency (EUR default: the stored ECB rate)", parseRate)
    .option("--as-of <date>", "date of the prices, such as 2026-11-01 (default: as the file states)", parsePastDay)
    .option("--dry-run", "show what would change, without changing anything")
    .addOption(
      new Option("--max-rejected <limit>", "maximum number or share of rejected GPU rows, N or N%")
        .argParser(parseRejectionLimit)
        .default(DEFAULT_REJECTION_LIMIT, "20%"),
    )
    .option("--gpu-alias <name=slug>", "map an unknown GPU name to a slug; repeatable", collectAlias)
    .option("--gpu-aliases <file>", "file of GPU aliases (default: GPU_ALIASES_FILE)")
    .option("--accept-changes", "import even if the changes look implausible")
    .option("--force", "replace offers that a live source keeps up to date")
    .option("--history-only", "record the prices in the history, and leave the catalog as it is")
    .option("--older", "import even if the catalog has newer prices")
    .examples(
      "gpu-offers-admin catalog import offers.ndjson",
      "gpu-offers-admin catalog import vms.csv --provider aws",
      "gpu-offers-admin catalog import prices.csv --columns map.yaml",
      "gpu-offers-admin catalog import vms.csv --provider vast --gpu-alias 'H100 Turbo=h100-pcie'",
      "gpu-offers-admin catalog import prices.csv --columns map.yaml --currency EUR --rate 1.16",
      "jq -s '[.[].offers[]]' page-*.json | gpu-offers-admin catalog import -",
    )
    .prints(catalogImportJson, run);
}

/** The provider whose region and type tables are used. @throws InvalidArgumentError */
function parseTables(text: string): string {
  const { name, nearest } = findTables(text);
  if (name === undefined) {
    const hint = nearest === undefined ? `Known: ${[...TABLE_NAMES].join(", ")}.` : `Did you mean ${nearest}?`;
    throw new InvalidArgumentError(`No provider tables have that name. ${hint}`);
  }
  return name;
}

/**
 * Facts about a file that aren't in its rows: from the options, else from the database or the file's header. The file is
 * opened before the database, so its reader asks for them when it reads the first row, and the import for the date at the
 * end.
 */
interface FileFacts {
  type: ProviderType | undefined;
  asOf: string | undefined;
  /** USD for one unit of other currencies. */
  rates: Map<string, number>;
}

async function run(file: string, options: Options) {
  const config = readSharedSettings(process.env);
  await loadSourceModules(config);
  const gpuAliases = readAliases(options, config.GPU_ALIASES_FILE);
  limitGarbage();
  const facts: FileFacts = { type: options.type, asOf: options.asOf, rates: new Map() };
  const columns = options.columns === undefined ? undefined : readColumns(options.columns);
  // Before the database is opened, which may create it.
  const opened = await openCatalog(openInput(file), {
    path: file,
    format: options.format,
    columns,
    provider: options.provider,
    tables: options.tables,
    type: () => facts.type,
    currency: options.currency,
    usdPerUnit: (currency) => facts.rates.get(currency),
    rateRemedy: RATE_REMEDY,
    gpuAliases,
    onHeader: ({ asOf }) => (facts.asOf ??= asOf),
  }).catch((error: unknown) => {
    throw error instanceof SourceError ? new CommandFailure(`${file}: ${messageOf(error)}`, 2) : error;
  });
  if (opened.format === "native" && (options.provider !== undefined || options.type !== undefined)) {
    throw new CommandFailure("a native file names its own providers and types. Remove --provider and --type.", 2);
  }
  takeRate(opened, options, facts);
  const report = await importFile(file, opened, options, facts);
  const json = toJson(report, { ...opened, tables: options.tables });
  const done: Partial<Record<ImportReport["outcome"], string>> = {
    recorded: "The prices are in the history.",
    imported: `The import succeeded: the catalog is now revision ${report.revision}.`,
  };
  const failure: typeof done = {
    rejected: `${json.problem ?? "rejected"} Nothing was changed.`,
    quarantined: `${report.problem ?? ""}\nNothing was changed. If these changes are right, run the command again with --accept-changes.`,
  };
  const text = formatReport(file, json, report.quarantined);
  return { json, text, done: done[report.outcome], failure: failure[report.outcome] };
}

/** Takes the rate in the options, which is that of the file's currency. */
function takeRate({ format, provider = "" }: OpenedCatalog, options: Options, { rates }: FileFacts): void {
  const { rate, tables = provider } = options;
  if (rate === undefined) {
    return;
  }
  const currency = options.currency ?? (format === "skypilot" ? currencyOf(tables, "skypilot") : "USD");
  if (currency === "USD") {
    throw new CommandFailure("--rate needs --currency, the currency that the rate is for, such as EUR.", 2);
  }
  rates.set(currency, rate);
}

/** The message of an error of the file, with the options of this command. */
function messageOf({ message, problem }: SourceError): string {
  switch (problem) {
    case "no_provider":
      return "A SkyPilot CSV does not name its provider. Add --provider, such as --provider aws. For a CSV of your own, add --columns.";
    case "no_columns":
      return "A CSV of your own needs --columns, a file that says what its columns hold.";
    case "unknown_text":
      return "The file is neither JSON nor a SkyPilot CSV, whose first line names the column InstanceType. For a CSV of your own, add --columns.";
    case "unknown_json":
      return `${message} To read a provider's API, enable its source: ${invocation("source", "list")}.`;
    case undefined:
      return message;
  }
}

/** The columns of a CSV, from a YAML or JSON file. The reader checks their names. */
function readColumns(file: string): PriceListColumns {
  let columns: unknown;
  try {
    columns = parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read as YAML: ${reasonOf(error)}.`, 2);
  }
  const result = columnsSchema.safeParse(columns);
  if (!result.success) {
    throw new CommandFailure(
      `${file} must have a line for each fact, with the name of its column or { value: ... }:\n  gpu: Card name\n  provider: { value: acme }`,
      2,
    );
  }
  return result.data;
}

const columnsSchema = z.record(
  z.string(),
  z.union([z.string(), z.strictObject({ value: z.union([z.string(), z.number(), z.boolean()]) })]),
);

async function importFile(file: string, opened: OpenedCatalog, options: Options, facts: FileFacts) {
  const { format, provider, items } = opened;
  const { type, dryRun: isDryRun = false } = options;
  return (isDryRun ? withPreview : withNewDatabase)(async (database) => {
    try {
      // Not during the import, which holds the only connection of an SQLite database.
      const current = (await listProviders(database)).find(({ name }) => name === provider);
      // Imports validate this column.
      facts.type ??= current?.type as ProviderType | undefined;
      const rate = (await findStoredRate(database, requestKey(ecbRequest())))?.usdPerEur;
      if (rate !== undefined && !facts.rates.has("EUR")) {
        facts.rates.set("EUR", rate);
      }
      const report = await importCatalog(database, {
        items,
        asOf: () => facts.asOf,
        cause: `catalog import ${file} --format ${format}${provider === undefined ? "" : ` --provider ${provider}`}`,
        ...(format !== "native" && {
          about: { ...(provider !== undefined && { provider }), ...(type !== undefined && { type }) },
        }),
        limit: options.maxRejected,
        ...(options.acceptChanges !== true && { gates: gateOfFile }),
        isForced: options.force === true,
        isHistoryOnly: options.historyOnly === true,
        mayBeOlder: options.older === true,
        isDryRun,
        ...(process.stderr.isTTY && { onProgress: showProgress }),
      });
      return { ...report, notes: [...report.notes, ...(await foldAfter(database, report))] };
    } catch (error) {
      throw error instanceof SourceError
        ? new CommandFailure(`${file}: ${messageOf(error)} Nothing was changed.`)
        : error;
    } finally {
      if (process.stderr.isTTY) {
        process.stderr.write("\n");
      }
    }
  });
}

/** Folds the prices of past days, as live sources do each hour. Returns a note if that fails, because the import is done. */
async function foldAfter(database: Database, { outcome }: ImportReport): Promise<string[]> {
  try {
    await (outcome === "imported" || outcome === "recorded" ? foldPast(database) : undefined);
    return [];
  } catch (error) {
    return [`The import succeeded, but past days were not summarized: ${reasonOf(error)}. The next import does it.`];
  }
}

/** Marketplace availability changes faster than a price list. */
function gateOfFile(provider: string): GateRule {
  return { kind: findLiveSource(provider)?.kind === "marketplace" ? "marketplace" : "list" };
}

/**
 * Tunes garbage collection for imports, which allocate many short-lived objects. By default Node lets 150 MB of them
 * pile up before a collection. Fixing the young generation's size and growing the old one by a third at most takes about
 * as long and less than half of the memory.
 */
function limitGarbage(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=30");
}

/** The aliases of the file and of the options. Options take precedence. */
function readAliases({ gpuAlias = [], gpuAliases }: Options, file: string | undefined): GpuAliases {
  const ofFile = readGpuAliases({ GPU_ALIASES_FILE: gpuAliases ?? file });
  try {
    return new Map([...ofFile, ...parseGpuAliases(gpuAlias)]);
  } catch (error) {
    throw error instanceof SourceError ? new CommandFailure(`--gpu-alias: ${error.message}`, 2) : error;
  }
}

function collectAlias(alias: string, aliases: string[] = []): string[] {
  return [...aliases, alias];
}

// Only the rate of the euro is ever stored.
const RATE_REMEDY =
  "Give it with --currency and --rate. A live source with convert: ecb in SOURCES_FILE stores the rate of EUR, and no other.";

function showProgress(rows: number): void {
  process.stderr.write(`\r${formatCount(rows)} rows read\u001b[K`);
}
