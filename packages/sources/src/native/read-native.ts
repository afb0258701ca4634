import { DuplicateTracker } from "../duplicate-tracker.js";
import { withdrawCrossProducts } from "../cross-product.js";
import { dedupe } from "../duplicates.js";
import { isObject, parseJson, readJsonDocument } from "../input/json.js";
import { linesOf, peekLine } from "../input/lines.js";
import { utf8Bytes, type Chunks } from "../input/utf8.js";
import { issueText } from "../issue-text.js";
import { invalidOffer, machineItem } from "../machine.js";
import { Rejection } from "../rejection.js";
import { showValue } from "../shown-value.js";
import { SourceError } from "../source-error.js";
import { rejectionItem, type SourceItem } from "../source-item.js";
import { nativeMachine, type NativeOptions } from "./native-offer.js";
import {
  NATIVE_FORMAT,
  nativeDocumentSchema,
  nativeHeaderSchema,
  nativeOfferSchema,
  type NativeProvider,
  nativeProviderSchema,
} from "./native-schema.js";
import type { NativeHeader } from "./write-native.js";

/**
 * Reads a catalog in our own format (docs/native-format.md), as a JSON document or as NDJSON; the form is detected.
 * Providers come before their offers.
 * @throws SourceError for a source that is neither, has another format version, or an invalid provider.
 */
export async function* readNative(chunks: Chunks, options: NativeOptions = {}): AsyncGenerator<SourceItem> {
  const peeked = await peekLine(utf8Bytes(chunks));
  yield* isHeaderLine(peeked.head) ? readNdjson(peeked.chunks, options) : readDocument(peeked.chunks, options);
}

/** A document on one line includes its providers; the header of an NDJSON source is alone on its line. */
function isHeaderLine(head: Uint8Array): boolean {
  const parsed = parseJson(head);
  return parsed.ok && isObject(parsed.value) && !("providers" in parsed.value) && !("offers" in parsed.value);
}

async function* readDocument(chunks: AsyncIterable<Uint8Array>, options: NativeOptions): AsyncGenerator<SourceItem> {
  const value = await readJsonDocument(chunks);
  checkFormat(value);
  const document = nativeDocumentSchema.safeParse(value);
  if (!document.success) {
    throw new SourceError(`The document is not a native catalog: ${issueText(document.error)}.`);
  }
  const { providers, offers, format: _format, ...header } = document.data;
  options.onHeader?.(header);
  const catalog = new NativeCatalog(options);
  for (const [index, provider] of providers.entries()) {
    yield catalog.readProvider(provider, `providers[${index}]`);
  }
  const items = offers.map((offer, index) => catalog.readOffer(offer, `offers[${index}]`));
  yield* withdrawCrossProducts(dedupe(items));
}

async function* readNdjson(chunks: AsyncIterable<Uint8Array>, options: NativeOptions): AsyncGenerator<SourceItem> {
  const catalog = new NativeCatalog(options);
  const tracker = new DuplicateTracker();
  let header: NativeHeader | undefined;
  let offers = 0;
  for await (const { number, bytes } of linesOf(chunks)) {
    const where = `line ${number}`;
    const parsed = parseJson(bytes);
    offers += parsed.ok && isObject(parsed.value) && "offer" in parsed.value ? 1 : 0;
    if (!parsed.ok) {
      yield rejectionItem(where, new Rejection("bad_row", `The line cannot be read: ${parsed.reason}.`));
    } else if (header === undefined) {
      header = readHeader(parsed.value, where);
      options.onHeader?.(header);
    } else {
      yield markDuplicate(readRecord(catalog, parsed.value, where), number, tracker);
    }
  }
  if (header?.offerCount !== undefined && header.offerCount !== offers) {
    // A truncated file must not remove the offers it lacks.
    throw new SourceError(
      `The header declares ${header.offerCount} offers, but the file has ${offers}. It may have been truncated or edited; export it again.`,
    );
  }
}

/** A file of any size can't be held in memory to choose between two duplicates, so the later one is marked. */
function markDuplicate(item: SourceItem, line: number, tracker: DuplicateTracker): SourceItem {
  const first = item.kind === "offer" ? tracker.add(item.offer.id, line) : undefined;
  return item.kind === "offer" && first !== undefined ? { ...item, duplicateOf: `line ${first}` } : item;
}

function readRecord(catalog: NativeCatalog, value: unknown, where: string): SourceItem {
  const [member, ...others] = isObject(value) ? Object.entries(value) : [];
  if (member?.[0] === "provider" && others.length === 0) {
    return catalog.readProvider(member[1], where);
  }
  if (member?.[0] === "offer" && others.length === 0) {
    return catalog.readOffer(member[1], where);
  }
  return rejectionItem(
    where,
    new Rejection("bad_row", 'The line must be {"provider": ...} or {"offer": ...} and nothing else.'),
  );
}

/** Reads the providers and offers of one native source, in either of its forms, in order. */
class NativeCatalog {
  readonly #providers = new Map<string, NativeProvider>();

  constructor(private readonly options: NativeOptions) {}

  /** @throws SourceError for an invalid or duplicate provider: all of its offers and images would be missing. */
  readProvider(value: unknown, where: string): SourceItem {
    const result = nativeProviderSchema.safeParse(value);
    if (!result.success) {
      throw new SourceError(`The provider is not valid: ${issueText(result.error)}.`, where);
    }
    const { storage: _storage, ...provider } = result.data;
    if (this.#providers.has(provider.name)) {
      const reason = `The provider ${showValue(provider.name)} is defined twice. Merge the two definitions.`;
      throw new SourceError(reason, where);
    }
    this.#providers.set(provider.name, result.data);
    return { kind: "provider", where, provider };
  }

  /** An offer, or its rejection. */
  readOffer(value: unknown, where: string): SourceItem {
    const result = nativeOfferSchema.safeParse(value);
    if (!result.success) {
      return rejectionItem(where, invalidOffer(issueText(result.error)));
    }
    const { instanceType, provider } = result.data;
    const name = typeof provider === "string" ? provider : provider.name;
    const known = this.#providers.get(name);
    if (known === undefined) {
      const reason = `The provider ${showValue(name)} is not named before the offer.`;
      return rejectionItem(where, new Rejection("unknown_provider", reason));
    }
    const item = machineItem(where, nativeMachine(result.data, known, this.options), this.options.money);
    return item.kind === "rejection" || instanceType === undefined ? item : { ...item, instanceType };
  }
}

function readHeader(value: unknown, where: string): NativeHeader {
  checkFormat(value, where);
  const header = nativeHeaderSchema.safeParse(value);
  if (!header.success) {
    throw new SourceError(`The header is not valid: ${issueText(header.error)}.`, where);
  }
  const { format: _format, ...known } = header.data;
  return known;
}

function checkFormat(value: unknown, where?: string): void {
  const format = isObject(value) ? value["format"] : undefined;
  if (format !== NATIVE_FORMAT) {
    throw new SourceError(`The source must begin with "format": "${NATIVE_FORMAT}", not ${showValue(format)}.`, where);
  }
}
