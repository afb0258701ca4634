import { open } from "node:fs/promises";
import { setFlagsFromString } from "node:v8";
import { InvalidArgumentError, Option, type Command } from "commander";
import { PROVIDER_TYPES, providerNameSchema } from "@gpu-offers/domain";
import {
  findLiveSource,
  readApiAnswer,
  readNative,
  readSkypilot,
  SourceError,
  type NativeHeader,
  type ProviderType,
  type SourceItem,
} from "@gpu-offers/sources";
import { z } from "zod";
import type { GateRule } from "../store/offer-gates.js";
import { importCatalog, type ImportReport } from "../store/catalog-import.js";
import { listProviders } from "../store/catalog.store.js";
import { reasonOf } from "../store/database-error.js";
import type { Database } from "../store/database.js";
import { DEFAULT_REFUSAL_LIMIT, type RefusalLimit } from "../store/import-problem.js";
import { withDatabase, withNewDatabase } from "./admin-database.js";
import { CommandFailure } from "./command-failure.js";
import { addUsage, type JsonOption } from "./command-usage.js";
import { print } from "./output.js";
import { formatQuarantine, quarantineJson } from "./quarantine-text.js";

/** Output of `catalog import`. */
export const catalogImportJson = z.strictObject({
  outcome: z.enum(["imported", "unchanged", "dry-run", "refused", "quarantined"]),
  problem: z.string().optional().describe("why nothing was changed, if the outcome is refused or quarantined"),
  revision: z.int().optional().describe("the new revision, if there is one"),
  providers: z.array(z.string()),
  rows: z.strictObject({ offers: z.int(), refused: z.int(), skipped: z.int() }),
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  unchanged: z.int(),
  quarantined: z.array(quarantineJson).describe("implausible changes, by provider"),
  refusals: z.array(
    z.strictObject({
      code: z.string(),
      count: z.int(),
      first: z.array(z.strictObject({ where: z.string(), reason: z.string() })),
    }),
  ),
});

interface Options extends JsonOption {
  format: "native" | "skypilot" | "api";
  provider?: string;
  type?: ProviderType;
  currency: string;
  dryRun?: true;
  maxRejected: RefusalLimit;
  acceptChanges?: true;
  force?: true;
}

/** `catalog import`: reads a file into the catalog. */
export function addCatalogImport(catalog: Command): void {
  addUsage(
    catalog
      .command("import")
      .description("Import a catalog file, atomically replacing the offers of each provider in it")
      .argument("<file>", "the file, or - for standard input")
      .addOption(
        new Option("--format <format>", "format of the file")
          .choices(["native", "skypilot", "api"])
          .makeOptionMandatory(),
      )
      .option("--provider <name>", "provider of all offers in the file (required for skypilot)", parseProvider)
      .addOption(
        new Option("--type <type>", "type of the provider (default: unchanged, or vm)").choices(PROVIDER_TYPES),
      )
      .option("--currency <code>", "currency of the prices; only USD can be imported", "USD")
      .option("--dry-run", "show what would change, without changing anything")
      .addOption(
        new Option("--max-rejected <limit>", "maximum number or share of rejected GPU rows, N or N%")
          .argParser(parseLimit)
          .default(DEFAULT_REFUSAL_LIMIT, "20%"),
      )
      .option("--accept-changes", "import even if the changes look implausible")
      .option("--force", "replace offers that a live source keeps up to date"),
    {
      json: catalogImportJson,
      examples: [
        "gpu-offers-admin catalog import offers.ndjson --format native",
        "gpu-offers-admin catalog import aws/vms.csv --format skypilot --provider aws",
        "jq -s '[.[].offers[]]' page-*.json | gpu-offers-admin catalog import - --format api",
      ],
    },
  ).action(run);
}

async function run(file: string, options: Options): Promise<void> {
  if (options.format === "skypilot" && options.provider === undefined) {
    throw new CommandFailure("a SkyPilot file does not name its provider: add --provider NAME.", 2);
  }
  if (options.currency !== "USD") {
    throw new CommandFailure(
      `prices in ${options.currency} cannot be imported: offers are in USD, convert them first.`,
      2,
    );
  }
  if (options.format === "native" && (options.provider !== undefined || options.type !== undefined)) {
    throw new CommandFailure("a native file names its providers and their types: leave --provider and --type out.", 2);
  }
  holdLittleGarbage();
  // First, since opening the database may make one.
  const input = readInput(file, await openInput(file));
  let asOf: string | undefined;
  const onHeader = (header: NativeHeader): void => {
    asOf = header.asOf;
  };
  const isDryRun = options.dryRun === true;
  const report = await (isDryRun ? withDatabase : withNewDatabase)(async (database) => {
    try {
      return await importCatalog(database, {
        items: parse(input, options, await findType(database, options), onHeader),
        asOf: () => asOf,
        cause: `catalog import ${file} --format ${options.format}${options.provider === undefined ? "" : ` --provider ${options.provider}`}`,
        ...(options.format === "native" ? {} : { about: aboutOf(options) }),
        limit: options.maxRejected,
        ...(options.acceptChanges === true ? {} : { gates: gateOfFile }),
        isForced: options.force === true,
        isDryRun,
        ...(process.stderr.isTTY ? { onProgress: showProgress } : {}),
      });
    } catch (error) {
      if (error instanceof SourceError) {
        throw new CommandFailure(`${file}: ${error.message} Nothing was changed.`);
      }
      throw error;
    } finally {
      if (process.stderr.isTTY) {
        process.stderr.write("\n");
      }
    }
  });
  await print(
    catalogImportJson,
    report,
    options,
    () => formatReport(file, report),
    report.outcome === "imported"
      ? `The import was carried out: the catalog is now revision ${report.revision}.`
      : undefined,
  );
  if (report.outcome === "refused") {
    throw new CommandFailure(`${report.problem ?? "refused"} Nothing was changed.`);
  }
  if (report.outcome === "quarantined") {
    throw new CommandFailure(
      `${report.problem ?? ""}\nNothing was changed. If these changes are right, run the command again with --accept-changes.`,
    );
  }
}

/** What is free on a marketplace changes faster than a price list. */
function gateOfFile(provider: string): GateRule {
  return { kind: findLiveSource(provider)?.kind === "marketplace" ? "marketplace" : "list" };
}

/**
 * An import makes much that is soon forgotten, and Node would let 150 MB of it pile up before it looks. From here on the
 * space of young objects stays as it is, and that of old ones grows by a third before Node looks again, which takes
 * about as long and less than half of the memory.
 */
function holdLittleGarbage(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=30");
}

function aboutOf({ provider, type }: Options): { provider?: string; type?: ProviderType } {
  return { ...(provider === undefined ? {} : { provider }), ...(type === undefined ? {} : { type }) };
}

/** The type to read the offers of a provider with: what the operator says, else what it has here. */
async function findType(database: Database, { provider, type }: Options): Promise<ProviderType | undefined> {
  const known = (await listProviders(database)).find(({ name }) => name === provider);
  // The column holds what an import checked.
  return type ?? (known?.type as ProviderType | undefined);
}

function parse(
  input: AsyncIterable<Uint8Array>,
  options: Options,
  type: ProviderType | undefined,
  onHeader: (header: NativeHeader) => void,
): AsyncIterable<SourceItem> {
  switch (options.format) {
    case "native":
      return readNative(input, { onHeader });
    case "skypilot":
      return readSkypilot(input, {
        provider: options.provider ?? "",
        currency: options.currency,
        ...(type === undefined ? {} : { type }),
      });
    case "api":
      return readApiAnswer(input, aboutOf(options));
  }
}

async function openInput(file: string): Promise<AsyncIterable<Uint8Array>> {
  if (file === "-") {
    return process.stdin;
  }
  try {
    const handle = await open(file);
    if ((await handle.stat()).isDirectory()) {
      throw new Error("it is a directory");
    }
    return handle.createReadStream();
  } catch (error) {
    throw new CommandFailure(`cannot read ${file}: ${reasonOf(error)}.`, 2);
  }
}

/** The bytes of the file; one that breaks off in the middle is told as one that cannot be opened. */
async function* readInput(file: string, input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* input;
  } catch (error) {
    throw new CommandFailure(`cannot read ${file}: ${reasonOf(error)}. Nothing was changed.`);
  }
}

function parseProvider(text: string): string {
  const result = providerNameSchema.safeParse(text);
  if (!result.success) {
    throw new InvalidArgumentError(`A provider's name ${result.error.issues[0]?.message ?? "is wrong"}.`);
  }
  return text;
}

function parseLimit(text: string): RefusalLimit {
  const match = /^(\d{1,9})(%?)$/.exec(text);
  const value = Number(match?.[1]);
  if (match === null || (match[2] === "%" && value > 100)) {
    throw new InvalidArgumentError("It must be a number of rows, such as 10, or a share from 0% to 100%.");
  }
  return match[2] === "%" ? { percent: value } : { count: value };
}

function showProgress(rows: number): void {
  process.stderr.write(`\r${count(rows)} rows read\u001b[K`);
}

function formatReport(file: string, report: ImportReport): string {
  const { rows, refusals } = report;
  const lines = [
    `${file}: offers ${count(rows.offers)}, rows refused ${count(rows.refused)}, rows without a GPU ${count(rows.skipped)}`,
    `providers ${report.providers.join(", ") || "none"}`,
  ];
  for (const { code, count: refused, first } of refusals) {
    lines.push(`refused   ${count(refused)} ${code}`);
    for (const { where, reason } of first) {
      lines.push(`            ${where}: ${reason}`);
    }
    if (refused > first.length) {
      lines.push(`            and ${count(refused - first.length)} more`);
    }
  }
  lines.push(...report.quarantined.map(formatQuarantine));
  if (report.outcome !== "refused" && report.outcome !== "quarantined") {
    lines.push(
      `added ${count(report.added)}, changed ${count(report.changed)}, removed ${count(report.removed)}, unchanged ${count(report.unchanged)}`,
      ending(report),
    );
  }
  return lines.join("\n");
}

function ending(report: ImportReport): string {
  switch (report.outcome) {
    case "imported":
      return `The catalog is now revision ${report.revision}; running services notice it within 2 seconds.`;
    case "unchanged":
      return "The catalog has all of it already; nothing was changed.";
    case "dry-run":
      return "Dry run: nothing was changed.";
    case "refused":
    case "quarantined":
      return "Nothing was changed.";
  }
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
