import { Unzip, UnzipInflate } from "fflate";
import { concatBytes, textOfBytes } from "../input/bytes.js";
import { currencyOf } from "../currencies.js";
import { csvRecords } from "../input/csv.js";
import { utf8Bytes } from "../input/utf8.js";
import { Rejection } from "../rejection.js";
import { showValue } from "../shown-value.js";
import { SourceError } from "../source-error.js";
import { USUAL } from "./define-source.js";
import { LiveOffers, type LiveRow, uniqueOffers } from "./live-offers.js";
import { isFailure, type LiveReply, type LiveRequest, type LiveResponse, type LiveSource } from "./live-source.js";
import { scopeItems } from "./part.js";
import { matchingRows, responsesOf, type ParsedRow } from "./response.js";
import { spotTerms } from "./terms.js";
import { liveSourceFacts } from "./live-sources.facts.js";

// The catalogs that the dstack project collects for its own use (gpuhunt): a version, and a zip archive with one CSV, for
// each cloud.

const BUCKET = "https://dstack-gpu-pricing.s3.eu-west-1.amazonaws.com/v3";
const MAX_CSV_BYTES = 64 * 1024 * 1024;
// A piece of an archive may grow a thousandfold before it is counted.
const PIECE_BYTES = 16 * 1024;

/** Clouds whose own API requires a key. */
const CLOUDS = ["gcp", "nebius"];
/** Clouds whose folder has a different name than the provider. */
const FOLDERS: ReadonlyMap<string, string> = new Map([["lambda", "lambdalabs"]]);
const CONTAINERS = new Set(["runpod"]);
/** Clouds whose rows are price lists by region. The others list what was free at some time, or every type in every region. */
const LISTED = new Set(["aws", "azure", "gcp", "nebius"]);

/** Clouds whose rows have dstack's own name of a configuration, which no provider takes: a platform and a preset. */
const OWN_NAMES = new Set(["nebius"]);
/** Clouds whose rows have the id of an ask, and whose spot prices are bids. */
const ASKS = new Set(["vast", "vastai"]);

const COLUMNS = [
  "instance_name",
  "location",
  "price",
  "cpu",
  "memory",
  "gpu_count",
  "gpu_name",
  "gpu_memory",
  "spot",
  "disk_size",
] as const;
// Older files lack it. Its words restrict who may use a row.
const OPTIONAL_COLUMNS = ["flags"] as const;
type Column = (typeof COLUMNS)[number] | (typeof OPTIONAL_COLUMNS)[number];
type Row = Readonly<Record<Column, string>>;

export const gpuhunt: LiveSource = {
  ...USUAL,
  ...liveSourceFacts.gpuhunt,
  scopes: { noun: "cloud", defaults: CLOUDS },

  check(response) {
    if (response.request.part === "version") {
      versionIn(response);
    }
  },

  *requests({ settings }) {
    for (const cloud of settings.scopes ?? CLOUDS) {
      yield* filesOf(cloud);
    }
  },

  async *read(replies, { aliases }) {
    for (const response of responsesOf(replies, "catalog")) {
      const cloud = response.request.scope ?? "";
      const facts = {
        name: cloud,
        type: CONTAINERS.has(cloud) ? "container" : "vm",
        currency: currencyOf(cloud),
      } as const;
      yield* scopeItems(cloud, async function* () {
        const offers = new LiveOffers(facts, { settings: {}, aliases });
        const version = responsesOf(replies, "version").find(({ request }) => request.scope === cloud);
        yield offers.providerItem(version === undefined ? null : dayOf(versionIn(version)));
        const rows = await rowsIn(response);
        const spots = spotPrices(matchingRows(rows));
        const found = offers.items(
          rows,
          (row) => (Number(row.gpu_count || 0) === 0 ? undefined : rowOf(row, cloud, spots.get(spotKey(row)))),
          () => cloud,
        );
        yield* uniqueOffers(found);
      });
    }
  },
};

function* filesOf(cloud: string): Generator<LiveRequest, void, LiveReply> {
  const folder = `${BUCKET}/${encodeURIComponent(FOLDERS.get(cloud) ?? cloud)}`;
  const reply = yield { part: "version", main: false, scope: cloud, method: "GET", url: `${folder}/version` };
  const version = isFailure(reply) ? "latest" : versionIn(reply);
  // A recording may contain the archive without its version.
  if (isFailure(reply) && reply.missing !== true) {
    return;
  }
  yield { part: "catalog", main: true, scope: cloud, method: "GET", url: `${folder}/${version}/catalog.zip` };
}

/** `20261121-8`: the date, and the number of the run. */
function versionIn(reply: LiveResponse): string {
  const version = textOfBytes(reply.body.subarray(0, 100)).trim();
  if (!/^\d{8}(?:-\d{1,12})?$/.test(version)) {
    throw new SourceError(`${showValue(version)} is not a version of a catalog.`, reply.request.part);
  }
  return version;
}

function dayOf(version: string): string {
  return `${version.slice(0, 4)}-${version.slice(4, 6)}-${version.slice(6, 8)}`;
}

async function rowsIn(response: LiveResponse): Promise<ParsedRow<Row>[]> {
  const { scope = "", part } = response.request;
  const csv = singleMember(response.body, MAX_CSV_BYTES, `${scope} ${part}`);
  const rows: ParsedRow<Row>[] = [];
  let header: readonly string[] | undefined;
  for await (const { line, fields } of csvRecords(utf8Bytes(csv))) {
    if (header === undefined) {
      header = checkedHeader(fields, scope);
      continue;
    }
    const row =
      fields.length === header.length
        ? recordOf(fields, header)
        : new Rejection("bad_row", `The row has ${fields.length} fields and the header ${header.length}.`);
    rows.push({ where: `${scope} line ${line}`, row });
  }
  return rows;
}

function checkedHeader(header: readonly string[], scope: string): readonly string[] {
  const missing = COLUMNS.filter((column) => !header.includes(column));
  if (missing.length > 0) {
    throw new SourceError(`The header has no ${missing.join(", ")}.`, scope);
  }
  return header;
}

function recordOf(fields: readonly string[], header: readonly string[]): Row {
  const entries = [...COLUMNS, ...OPTIONAL_COLUMNS].map(
    (column) => [column, (fields[header.indexOf(column)] ?? "").trim()] as const,
  );
  return Object.fromEntries(entries) as Row;
}

const DECIMAL = /^\d{1,12}(?:\.\d{1,20})?$/;

/** Spot prices by configuration and place, which have rows of their own, in USD per hour. Of several, the highest. */
function spotPrices(rows: readonly Row[]): ReadonlyMap<string, number> {
  const prices = new Map<string, number>();
  for (const row of rows.filter((candidate) => isSpot(candidate) && DECIMAL.test(candidate.price))) {
    prices.set(spotKey(row), Math.max(prices.get(spotKey(row)) ?? 0, Number(row.price)));
  }
  return prices;
}

function spotKey({ instance_name: name, location, gpu_name: gpu, gpu_count: count }: Row): string {
  return JSON.stringify([name, location, gpu, Number(count)]);
}

function isSpot({ spot }: Row): boolean {
  return /^true$/i.test(spot);
}

function rowOf(row: Row, cloud: string, spotPrice: number | undefined): LiveRow | Rejection {
  if (isSpot(row)) {
    return new Rejection("spot_only", `${showValue(row.instance_name)} has a spot price here.`);
  }
  if (/\bdws\b/i.test(row.flags)) {
    return new Rejection("other_terms", `${showValue(row.instance_name)} has the price of a reservation by calendar.`);
  }
  if (row.instance_name === "" || row.location === "") {
    return new Rejection("missing_value", `${row.instance_name === "" ? "instance_name" : "location"} is empty.`);
  }
  if (row.instance_name.length > 200 || row.location.length > 200) {
    return new Rejection("bad_row", "instance_name or location is too long to mean anything.");
  }
  if (!DECIMAL.test(row.price)) {
    return new Rejection("bad_price", `price is ${showValue(row.price)}, which is not a decimal number from 0.`);
  }
  const number = (text: string) => (DECIMAL.test(text) ? Number(text) : undefined);
  return {
    instanceType: row.instance_name,
    // An N1 machine of Google Cloud has a row for each card and count that can be attached to it.
    typeFixesGpu: false,
    region: row.location,
    gpu: { name: row.gpu_name, count: number(row.gpu_count), vramGb: number(row.gpu_memory) || undefined },
    priceHourly: Number(row.price),
    isAvailable: LISTED.has(cloud),
    listing: {
      ...(ASKS.has(cloud) ? { providerOfferId: row.instance_name } : {}),
      ...(ASKS.has(cloud) || OWN_NAMES.has(cloud)
        ? { toolNames: { dstack: row.instance_name } }
        : { instanceType: row.instance_name }),
      ...(LISTED.has(cloud) && { seller: "cloud" as const }),
      spot: spotTerms(spotPrice, ASKS.has(cloud) ? "bid" : "price"),
    },
    vcpu: number(row.cpu),
    ramGb: number(row.memory),
    disk: { kind: "stated", sizeGb: number(row.disk_size) ?? 0 },
  };
}

/**
 * The only file of a zip archive. It is decompressed in pieces and counted, because the sizes that an archive states may
 * be false.
 * @throws SourceError if the bytes are not an archive with one file, or the file is larger than `maxBytes`.
 */
export function singleMember(archive: Uint8Array, maxBytes: number, where: string): Uint8Array {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let files = 0;
  let isComplete = false;
  const unzip = new Unzip((file) => {
    files += 1;
    if (files > 1) {
      throw new SourceError("The archive has several files.", where);
    }
    file.ondata = (error, piece, isLast) => {
      if (error !== null) {
        throw new SourceError("The archive is damaged.", where, { cause: error });
      }
      size += piece.length;
      if (size > maxBytes) {
        throw new SourceError(`The file in the archive is larger than ${maxBytes} bytes.`, where);
      }
      pieces.push(piece);
      isComplete ||= isLast;
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  try {
    for (let start = 0; start < archive.length; start += PIECE_BYTES) {
      unzip.push(archive.subarray(start, start + PIECE_BYTES), start + PIECE_BYTES >= archive.length);
    }
  } catch (error) {
    if (error instanceof SourceError) {
      throw error;
    }
    throw new SourceError("The archive cannot be read.", where, { cause: error });
  }
  if (!isComplete) {
    throw new SourceError("The response is not an archive of one file.", where);
  }
  return concatBytes(pieces);
}
