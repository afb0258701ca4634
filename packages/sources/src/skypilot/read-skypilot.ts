import { providerKey } from "@gpu-offers/domain";
import { withdrawCrossProducts } from "../cross-product.js";
import { dedupe, isMarketplace } from "../duplicates.js";
import { csvRecords } from "../input/csv.js";
import { utf8Bytes, type Chunks } from "../input/utf8.js";
import { Rejection } from "../rejection.js";
import { checkProviderName } from "../provider-name.js";
import { SourceError } from "../source-error.js";
import { rejectionItem, type SourceItem } from "../source-item.js";
import { Columns } from "./columns.js";
import { GcpHalves } from "./gcp-halves.js";
import { OfferRows, type SkypilotOptions } from "./offer-rows.js";

/**
 * Reads the catalog CSV of one provider as the SkyPilot project publishes it (`catalogs/v8/aws/vms.csv`).
 * Every row gives an offer, a rejection, or `skipped` if it is not rentable by itself; `where` is its line. Google
 * Cloud's machines, whose cards have separate rows, come last.
 * It yields no provider: the options name it.
 * @throws SourceError if the options are invalid or the file is not such a catalog.
 */
export async function* readSkypilot(chunks: Chunks, options: SkypilotOptions): AsyncGenerator<SourceItem> {
  checkProviderName(options.provider);
  yield* withdrawCrossProducts(
    dedupe(await readRows(chunks, options), isMarketplace(options.tables ?? options.provider)),
  );
}

async function readRows(chunks: Chunks, options: SkypilotOptions): Promise<SourceItem[]> {
  const items: SourceItem[] = [];
  let rows: OfferRows | undefined;
  let halves: GcpHalves | undefined;
  for await (const { line, fields } of csvRecords(utf8Bytes(chunks))) {
    if (rows === undefined) {
      const columns = new Columns(fields);
      rows = new OfferRows(columns, options);
      if (providerKey(options.tables ?? options.provider) === "gcp") {
        halves = new GcpHalves(columns);
      }
      continue;
    }
    const { columns } = rows;
    const where = `line ${line}`;
    if (fields.length !== columns.count) {
      const reason = `The row has ${fields.length} fields and the header ${columns.count}.`;
      items.push(rejectionItem(where, new Rejection("bad_row", reason)));
    } else if (halves?.take(fields, line) === true) {
      continue;
    } else if (columns.read(fields, "AcceleratorName") === "") {
      items.push({ kind: "skipped", where });
    } else {
      items.push(rows.read(where, fields));
    }
  }
  if (rows === undefined) {
    throw new SourceError("The file is empty.");
  }
  for (const { line, outcome } of halves?.join() ?? []) {
    const where = `line ${line}`;
    if (outcome === undefined) {
      items.push({ kind: "skipped", where });
    } else {
      items.push(outcome instanceof Rejection ? rejectionItem(where, outcome) : rows.itemAt(where, outcome));
    }
  }
  return items;
}
