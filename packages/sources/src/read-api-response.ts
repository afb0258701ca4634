import {
  AVAILABILITIES,
  listingFactsSchema,
  offerSchema,
  SELLERS,
  SPOT_KINDS,
  type StatedFacts,
} from "@gpu-offers/domain";
import { withdrawCrossProducts } from "./cross-product.js";
import type { PriceOptions } from "./currencies.js";
import { dedupe } from "./duplicates.js";
import { isObject, readJsonDocument } from "./input/json.js";
import { utf8Bytes, type Chunks } from "./input/utf8.js";
import { issueText } from "./issue-text.js";
import { invalidOffer, machineItem, type Machine } from "./machine.js";
import { checkProviderName, isProviderName } from "./provider-name.js";
import { Rejection } from "./rejection.js";
import { showValue } from "./shown-value.js";
import { SourceError } from "./source-error.js";
import { withProviders, type ProviderType, type SourceItem } from "./source-item.js";

/** Facts that a server's response does not contain. */
export interface ApiResponseOptions extends PriceOptions {
  /** Provider to assign all offers to; by default each keeps its own. */
  provider?: string | undefined;
  /** Type of the providers; default `vm`. */
  type?: ProviderType | undefined;
}

/**
 * Reads a server's response to `GET /api/v1/offers`: a single page that has everything, or a bare list of the offers of
 * all pages. Responses to `GET /api/v2/listings` are read with the facts of their listings. New fields are dropped, and an
 * `interconnect` that is not text becomes null; a new `deploymentType` is rejected, because any guess could be false. Each
 * provider comes, without images, before its first offer.
 * @throws SourceError if the source has another form.
 */
export async function* readApiResponse(chunks: Chunks, options: ApiResponseOptions = {}): AsyncGenerator<SourceItem> {
  const { provider, type = "vm" } = options;
  if (provider !== undefined) {
    checkProviderName(provider);
  }
  const values = offersIn(await readJsonDocument(utf8Bytes(chunks)));
  const items = values.map((value, index) => readItem(`offers[${index}]`, value, options));
  yield* withProviders(withdrawCrossProducts(dedupe(items)), type);
}

function offersIn(document: unknown): readonly unknown[] {
  const offers = isObject(document) ? (document["offers"] ?? document["listings"]) : document;
  const page = isObject(document) ? Number(document["page"] ?? 0) : 0;
  if (isObject(document) && (document["hasMore"] === true || page > 0)) {
    // An import replaces all offers of a provider, so a single page would remove the offers of the other pages.
    throw new SourceError(
      `The document is page ${page} of ${showValue(document["totalPages"])}. Fetch all pages and import their offers as one JSON list.`,
    );
  }
  if (Array.isArray(offers) && (offers.length === 0 || offers.some((value) => mayBeOffer(value)))) {
    return offers;
  }
  const reason = Array.isArray(offers)
    ? `None of the ${offers.length} items of the document is an offer with a member provider.`
    : 'The document is neither a list of offers nor a page with a list "offers".';
  throw new SourceError(reason, undefined, { problem: "unknown_json" });
}

/** Whether a value has the form of an offer or a listing, unlike the items of other JSON. */
function mayBeOffer(value: unknown): boolean {
  const offer = isObject(value) ? (value["offer"] ?? value) : value;
  return isObject(offer) && isObject(offer["provider"]);
}

/**
 * An offer, a listing with its facts, or a record of the picker's lists: an offer with its facts beside it. Facts that a
 * reader doesn't know are dropped.
 */
function readItem(where: string, value: unknown, options: ApiResponseOptions): SourceItem {
  const isListing = isObject(value) && isObject(value["offer"]);
  const stated = isListing ? value : isObject(value) ? value["listing"] : undefined;
  const machine = readOffer(isListing ? value["offer"] : value, options);
  const listing = isObject(stated) ? statedIn(stated) : {};
  return machineItem(where, machine instanceof Rejection ? machine : { ...machine, listing }, options.money);
}

function statedIn(listing: Record<string, unknown>): StatedFacts {
  const facts = listingFactsSchema.partial().safeParse(listing).data ?? {};
  const kind = SPOT_KINDS.find((known) => known === facts.spot?.kind);
  return {
    ...facts,
    seller: SELLERS.find((known) => known === facts.seller) ?? null,
    availability: AVAILABILITIES.find((known) => known === facts.availability) ?? null,
    spot: facts.spot == null || kind === undefined ? null : { priceHourly: facts.spot.priceHourly, kind },
  };
}

function readOffer(value: unknown, { provider, currency }: ApiResponseOptions): Machine | Rejection {
  if (!isObject(value)) {
    return new Rejection("bad_row", `The offer is ${showValue(value)}, not an object.`);
  }
  const result = offerSchema.safeParse({ ...value, interconnect: textOrNull(value["interconnect"]) });
  if (!result.success) {
    return invalidOffer(issueText(result.error));
  }
  const { id, gpu, gpuCount, nvlinkEnabled, interconnect, priceHourly, regionInfo, specs, ...offer } = result.data;
  const name = provider ?? offer.provider.name;
  if (!isProviderName(name)) {
    return new Rejection("bad_provider_name", `The provider ${showValue(name)} is not lower-case and URL-safe.`);
  }
  return {
    ...offer,
    provider: name,
    identity: { id },
    gpu: { model: gpu, gpuCount, nvlinkEnabled, interconnect: textOrNull(interconnect) },
    place: regionInfo,
    price: { amount: priceHourly, currency },
    vcpu: specs.vcpu,
    ramGb: specs.ram,
    disk: {
      kind: "terms",
      costPerGb: offer.storageCostPerGB,
      minGb: offer.storageMinGB,
      maxGb: offer.storageMaxGB,
      listedGb: specs.disk,
    },
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}
