import { type Offer, pricePerGpu } from "@gpu-offers/domain";
import { InvalidArgumentError, Option } from "commander";
import * as z from "zod";
import {
  CHANGE_KINDS,
  findHistoryStart,
  foldHistory,
  streamChanges,
  type ChangeKind,
  type OfferChange,
} from "@gpu-offers/store/offer-history";
import { withReader } from "./admin-database.js";
import { CommandFailure, printText, type AdminCommand } from "./command.js";
import { parseEnd, parseList, parseStart } from "./option-values.js";
import { cellsOf, formatTable, type Columns } from "./table.js";

interface Options {
  offer?: string;
  provider?: string[];
  gpu?: string[];
  since?: string;
  kind?: ChangeKind[];
  asOf?: string;
  format: "table" | "ndjson" | "csv";
}

/** One change as a line of NDJSON. */
export const changeJson = z.strictObject({
  id: z.int(),
  revision: z.int(),
  at: z.string(),
  offer_id: z.string(),
  provider: z.string(),
  gpu: z.string(),
  kind: z.enum(CHANGE_KINDS),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
});

/** Rows of a table that are laid out together; later ones begin a new table with the same headings. */
const TABLE_ROWS = 1_000;

/** `catalog history`: prints changes, or the offers as of a past time. */
export function addCatalogHistory(catalog: AdminCommand): void {
  catalog
    .command("history")
    .description("Show offer changes, or the catalog at a past time")
    .option("--offer <id>", "only changes of this offer")
    .option("--provider <names>", "only these providers, separated by commas", parseList)
    .option("--gpu <slugs>", "only these GPU slugs, separated by commas", parseList)
    .option("--since <time>", "only changes since this date or ISO 8601 time (UTC)", parseStart)
    .option("--kind <kinds>", `only these kinds: ${CHANGE_KINDS.join(", ")}`, parseKinds)
    .option("--as-of <time>", "print the offers as of this time, or end of this date", parseEnd)
    .addOption(
      new Option("--format <format>", "format of the output").choices(["table", "ndjson", "csv"]).default("table"),
    )
    .notes("With --as-of, prints offers instead of changes. Past isAvailable values are known\nfor 14 days.")
    .examples(
      "gpu-offers-admin catalog history --gpu h100-sxm --kind price --since 2026-11-01",
      "gpu-offers-admin catalog history --provider vast --as-of 2026-11-01 --format ndjson",
    )
    .action(run);
}

async function run(options: Options): Promise<void> {
  const { asOf, since, kind } = options;
  if (asOf !== undefined && (since !== undefined || kind !== undefined)) {
    throw new CommandFailure("--as-of prints offers, not changes, so it cannot be combined with --since or --kind.", 2);
  }
  await withReader(async (database) => {
    if (asOf === undefined) {
      const { offer: offerId, provider: providers, gpu: gpus } = options;
      const changes = streamChanges(database, { offerId, providers, gpus, since, kinds: kind });
      await printRows(CHANGE_COLUMNS, toChanges(changes), options.format);
      return;
    }
    const start = await findHistoryStart(database);
    if (start !== undefined && asOf < start.at) {
      throw new CommandFailure(`the history starts at ${start.at}. Older changes were removed (HISTORY_DAYS).`);
    }
    const offers = [...(await foldHistory(database, { until: asOf })).values()].filter((offer) => fits(offer, options));
    await printRows(OFFER_COLUMNS, offers, options.format);
  });
}

function fits({ id, provider, gpu }: Offer, options: Options): boolean {
  return (
    (options.offer === undefined || options.offer === id) &&
    (options.provider?.includes(provider.name) ?? true) &&
    (options.gpu?.includes(gpu.slug) ?? true)
  );
}

async function* toChanges(changes: AsyncIterable<OfferChange>): AsyncGenerator<z.output<typeof changeJson>> {
  for await (const { id, revision, at, offer_id, provider, gpu_slug: gpu, kind, before, after } of changes) {
    yield changeJson.parse({ id, revision, at, offer_id, provider, gpu, kind, before, after });
  }
}

const CHANGE_COLUMNS: Columns<z.output<typeof changeJson>> = {
  AT: "at",
  PROVIDER: "provider",
  GPU: "gpu",
  KIND: "kind",
  BEFORE: ({ before }) => shown(before),
  AFTER: ({ after }) => shown(after),
  OFFER: "offer_id",
};

const OFFER_COLUMNS: Columns<Offer> = {
  PROVIDER: ({ provider }) => provider.name,
  GPU: ({ gpu }) => gpu.slug,
  COUNT: "gpuCount",
  REGION: "region",
  "USD/H": "priceHourly",
  "USD/H/GPU": ({ priceHourly, gpuCount }) => pricePerGpu(priceHourly, gpuCount),
  OFFER: "id",
};

/** The price of a change without a label, other fields with one. */
function shown(fields: Record<string, unknown> | null): string | number {
  if (fields === null) {
    return "";
  }
  const { priceHourly } = fields;
  return typeof priceHourly === "number"
    ? priceHourly
    : Object.entries(fields)
        .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
        .join(", ");
}

async function printRows<Row extends object>(
  columns: Columns<Row>,
  rows: AsyncIterable<Row> | Iterable<Row>,
  format: Options["format"],
): Promise<void> {
  if (format === "csv") {
    await printText(csvLine(Object.keys(columns).map((title) => title.toLowerCase())));
  }
  const held: Row[] = [];
  let isEmpty = true;
  const printHeld = () => printText(`${formatTable(columns, held.splice(0))}\n`);
  for await (const row of rows) {
    isEmpty = false;
    if (format !== "table") {
      await printText(format === "csv" ? csvLine(cellsOf(columns, row).map(String)) : `${JSON.stringify(row)}\n`);
    } else if (held.push(row) === TABLE_ROWS) {
      await printHeld();
    }
  }
  if (held.length > 0) {
    await printHeld();
  } else if (isEmpty && format === "table") {
    await printText("Nothing matches.\n");
  }
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\n`;
}

function parseKinds(text: string): ChangeKind[] {
  const known: readonly string[] = CHANGE_KINDS;
  const kinds = parseList(text);
  const wrong = kinds.find((kind) => !known.includes(kind));
  if (wrong !== undefined) {
    throw new InvalidArgumentError(`${wrong} is not a kind of change. Use one of ${CHANGE_KINDS.join(", ")}.`);
  }
  return kinds as ChangeKind[];
}
