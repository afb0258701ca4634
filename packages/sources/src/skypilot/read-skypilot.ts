import { providerNameSchema } from "@gpu-offers/domain";
import type { GpuAliases } from "../gpu-alias.js";
import { csvRecords } from "../input/csv.js";
import { utf8Bytes, type Chunks } from "../input/utf8.js";
import { Refusal } from "../refusal.js";
import { showValue } from "../shown-value.js";
import { SourceError } from "../source-error.js";
import { itemOf, type ProviderType, type SourceItem } from "../source-item.js";
import { Columns } from "./columns.js";
import { OfferRows } from "./offer-rows.js";

/** What a SkyPilot catalog does not tell about itself. */
export interface SkypilotOptions {
  /** Name of the provider whose catalog it is, in our spelling: `aws`, `runpod`, `vast`. */
  readonly provider: string;
  /** Type of the provider; default `vm`. */
  readonly type?: ProviderType;
  /** GPU names that the operator taught; see `parseGpuAliases`. */
  readonly gpuAliases?: GpuAliases | undefined;
  /** Currency of the prices; default `USD`, and no other can be read. */
  readonly currency?: string;
}

/**
 * Reads the catalog CSV of one provider as the SkyPilot project publishes it (`catalogs/v8/aws/vms.csv`).
 * Every row gives an offer, a refusal, or `skipped` when it has no accelerator; `where` is its line.
 * Nothing here yields a provider: the options name it.
 * @throws SourceError when the options are wrong or the file is no such catalog.
 */
export async function* readSkypilot(chunks: Chunks, options: SkypilotOptions): AsyncGenerator<SourceItem> {
  checkOptions(options);
  let rows: OfferRows | undefined;
  for await (const { line, fields } of csvRecords(utf8Bytes(chunks))) {
    if (rows === undefined) {
      const { provider, type = "vm", gpuAliases } = options;
      rows = new OfferRows(new Columns(fields), provider, type, gpuAliases);
      continue;
    }
    const { columns } = rows;
    const where = `line ${line}`;
    if (fields.length !== columns.count) {
      const reason = `The row has ${fields.length} fields and the header ${columns.count}.`;
      yield itemOf(where, new Refusal("bad_row", reason));
    } else if (columns.read(fields, "AcceleratorName") === "") {
      yield { kind: "skipped", where };
    } else {
      yield itemOf(where, rows.read(fields, line));
    }
  }
  if (rows === undefined) {
    throw new SourceError("The file is empty.");
  }
}

function checkOptions({ provider, currency = "USD" }: SkypilotOptions): void {
  if (!providerNameSchema.safeParse(provider).success) {
    throw new SourceError(`${showValue(provider)} is no provider name: it must be lower-case and URL-safe.`);
  }
  if (currency !== "USD") {
    throw new SourceError(`The prices are in ${showValue(currency)}, but offers are in USD. Convert them first.`);
  }
}
