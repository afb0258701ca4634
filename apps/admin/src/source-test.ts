import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import {
  findGateTrips,
  gatedOffer,
  isFailure,
  priceRanges,
  readNative,
  runRequests,
  SourceError,
  writeNative,
  type GatedOffer,
  type LiveReply,
  type LiveSource,
  type SourceItem,
} from "@gpu-offers/sources";
import * as z from "zod";
import { reasonOf } from "@gpu-offers/domain";
import { createFolder, readRecording, RecordingWriter } from "@gpu-offers/fetch/recording-folder";
import { SourceFetcher } from "@gpu-offers/fetch/source-fetcher";
import { findRejectedRowsTrip, readRun, RunError, type FetchedRun } from "@gpu-offers/fetch/source-run";
import { countRejection, rejectionCountSchema, type RejectionCount } from "@gpu-offers/store/offer-stage";
import { quarantineSchema } from "@gpu-offers/store/quarantine";
import { CommandFailure, printText, type AdminCommand, type Outcome } from "./command.js";
import { getLiveSource, readLiveSettings } from "./source-tools.js";
import { counted } from "./table.js";

const sourceTestJson = z.strictObject({
  source: z.string(),
  offers: z.int(),
  skipped: z.int().describe("rows without a GPU"),
  rejected: z.int(),
  rejections: z.array(rejectionCountSchema),
  gates: quarantineSchema.shape.gates.describe("gates that would quarantine a run"),
  failed_scopes: z.record(z.string(), z.string()),
  missing_responses: z.array(z.string()).describe("requests without a recorded response"),
  notes: z.array(z.string()),
});

type Report = z.output<typeof sourceTestJson>;

interface Options {
  json?: true;
  from?: string;
  offers?: true;
}

/**
 * `source test`: reads a source once and changes nothing. It needs no database.
 * @param starterCatalog catalog whose prices are the estimate of what is plausible.
 */
export function addSourceTest(source: AdminCommand, starterCatalog: URL): void {
  source
    .command("test")
    .description("Fetch a source once and summarize the offers it returns")
    .argument("<name>", "name of the source")
    .option("--from <path>", "read recorded responses instead of the network")
    .option("--offers", "print the offers as catalog export does; the summary goes to standard error")
    .notes(
      "Needs no database and changes nothing. --from takes a file with the response to the\nsource's main request, or a folder written by source record.",
    )
    .examples(
      "gpu-offers-admin source test vast",
      "gpu-offers-admin source test linode --from recordings/linode --offers > linode.ndjson",
    )
    .prints(sourceTestJson, (name: string, options: Options) => test(name, options, starterCatalog));
}

/** `source record`: writes a source's responses to files, without secrets. */
export function addSourceRecord(source: AdminCommand): void {
  source
    .command("record")
    .description("Record a source's responses, with secrets redacted")
    .argument("<name>", "name of the source")
    .requiredOption("--output <folder>", "folder to write to")
    .examples("gpu-offers-admin source record vast --output recordings/vast")
    .prints(z.strictObject({ source: z.string(), responses: z.int(), output: z.string() }), record);
}

async function test(name: string, options: Options, starterCatalog: URL): Promise<Outcome<Report> | undefined> {
  const source = getLiveSource(name);
  const missing: string[] = [];
  const fetchNow = async () => ({ ...(await fetcherOf(source).fetch(source)), asOf: new Date().toISOString() });
  const reading = options.from === undefined ? fetchNow() : readRecorded(source, options.from, missing);
  const run = await reading.catch(failRun(source));
  const report = await reportOf(source, run, missing, starterCatalog);
  const failure = report.gates.length > 0 ? `${name} would be quarantined.` : undefined;
  if (options.offers !== true) {
    return { json: report, text: textOf(report), failure };
  }
  await printOffers(source, run);
  process.stderr.write(`${options.json === true ? JSON.stringify(report) : textOf(report)}\n`);
  if (failure !== undefined) {
    throw new CommandFailure(failure);
  }
  return undefined;
}

/** Prints what was read as a catalog that imports again. */
async function printOffers(source: LiveSource, { asOf, items }: Read): Promise<void> {
  const providers = items.flatMap((item) => (item.kind === "provider" ? [item.provider] : []));
  const offers = items.flatMap((item) => (item.kind === "offer" ? [item] : []));
  const header = { asOf, note: `Offers of the source ${source.name}.`, offerCount: offers.length };
  for await (const line of writeNative(header, providers, offers)) {
    await printText(line);
  }
}

function failRun({ name }: LiveSource) {
  return (error: unknown): never => {
    const isOfRun = error instanceof RunError || error instanceof SourceError;
    throw isOfRun ? new CommandFailure(`${name}: ${error.message}`) : error;
  };
}

interface Read extends Pick<FetchedRun, "items" | "notes" | "offers" | "rejectedGpuRows" | "failedScopes"> {
  /** When the responses were received, in ISO 8601. */
  asOf: string;
}

function fetcherOf(source: LiveSource): SourceFetcher {
  const fetcher = new SourceFetcher(readLiveSettings());
  const missing = fetcher.missingSecrets(source);
  if (missing !== undefined) {
    throw new CommandFailure(`${source.name} needs a key. ${missing}`);
  }
  return fetcher;
}

async function readRecorded(source: LiveSource, path: string, missing: string[]): Promise<Read> {
  const recording = await readRecording(path);
  const context = { ...new SourceFetcher(readLiveSettings()).contextOf(source), recorded: true };
  const run = await runRequests(source, context, async (request): Promise<LiveReply> => {
    const reply = recording.reply(request);
    if (isFailure(reply)) {
      missing.push(request.scope === undefined ? request.part : `${request.part} (${request.scope})`);
    }
    return reply;
  });
  const read = await readRun(source, context, run.replies);
  const dates = run.replies.flatMap((reply) => (isFailure(reply) ? [] : Date.parse(reply.headers["date"] ?? "")));
  const newest = Math.max(...dates.filter((ms) => !Number.isNaN(ms)));
  // A response without a date is as old as its file.
  const asOf = Number.isFinite(newest) ? new Date(newest) : (await stat(path)).mtime;
  return {
    ...read,
    failedScopes: new Map([...run.failedScopes, ...read.failedScopes]),
    asOf: asOf.toISOString(),
  };
}

async function reportOf(
  source: LiveSource,
  run: Read,
  missing: readonly string[],
  starterCatalog: URL,
): Promise<Report> {
  const rejections: RejectionCount[] = [];
  for (const item of run.items) {
    if (item.kind === "rejection") {
      countRejection(rejections, item);
    }
  }
  const offers = run.items.flatMap(gatedOf);
  const { gates: kind } = readLiveSettings().settings.of(source);
  const options = { mayBeEmpty: source.mayBeEmpty, ranges: await rangesOf(starterCatalog) };
  const rejectedRows = findRejectedRowsTrip(run);
  const trips = findGateTrips([], offers, kind, options);
  return {
    source: source.name,
    offers: offers.length,
    skipped: run.items.filter((item) => item.kind === "skipped").length,
    rejected: rejections.reduce((sum, { count }) => sum + count, 0),
    rejections: rejections.sort((a, b) => b.count - a.count),
    gates: rejectedRows === undefined ? trips : [rejectedRows, ...trips],
    failed_scopes: Object.fromEntries(run.failedScopes),
    missing_responses: [...missing],
    notes: run.notes,
  };
}

/** GPU prices of a catalog: an estimate to use without a database. */
async function rangesOf(catalog: URL) {
  const offers: GatedOffer[] = [];
  for await (const item of readNative(createReadStream(catalog))) {
    offers.push(...gatedOf(item));
  }
  return priceRanges(offers);
}

function gatedOf(item: SourceItem): GatedOffer[] {
  return item.kind === "offer" ? [gatedOffer(item.offer)] : [];
}

function textOf(report: Report): string {
  const { source, offers, skipped, rejected, rejections, gates, failed_scopes, missing_responses, notes } = report;
  const lines = [
    `${source}: ${counted(offers, "offer")}, ${counted(rejected, "row")} rejected, ${skipped} without a GPU`,
  ];
  for (const { code, count, first } of rejections) {
    lines.push(`rejected ${count} ${code}`);
    lines.push(...first.map(({ where, reason }) => `  ${where}: ${reason}`));
  }
  lines.push(...Object.entries(failed_scopes).map(([scope, reason]) => `failed ${scope}: ${reason}`));
  if (missing_responses.length > 0) {
    const named = missing_responses.slice(0, 5).join(", ");
    lines.push(
      `not recorded: ${named}${missing_responses.length > 5 ? ` and ${missing_responses.length - 5} more` : ""}`,
    );
  }
  lines.push(...notes.map((note) => `note: ${note}`));
  lines.push(
    ...(gates.length === 0 ? ["gates: passed"] : gates.map(({ gate, message }) => `gate ${gate}: ${message}`)),
  );
  return lines.join("\n");
}

async function record(name: string, { output }: { output: string }) {
  const source = getLiveSource(name);
  const fetcher = fetcherOf(source);
  await createFolder(output).catch((error: unknown) => {
    throw new CommandFailure(`${output} cannot be created: ${reasonOf(error)}.`);
  });
  const writer = new RecordingWriter(output, readLiveSettings().secrets);
  const onResponse: typeof writer.write = (request, response) => writer.write(request, response);
  await fetcher.fetch(source, { onResponse }).catch(failRun(source));
  return {
    json: { source: name, responses: writer.count, output },
    done: `Recorded ${counted(writer.count, "response")} of ${name} in ${output}.`,
  };
}
