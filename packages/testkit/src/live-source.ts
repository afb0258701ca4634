import { type Offer, UNKNOWN_LISTING_FACTS } from "@gpu-offers/domain";
import { exampleOffer } from "@gpu-offers/domain/offer.fixture";
import { isFailure, offerId, SourceError, type LiveItem, type LiveReply, type LiveSource } from "@gpu-offers/sources";

// A small source of the tests, whose API is `[{ id, price }]` at /<name>/offers, or one such list a scope.

/** What a response of it lists. */
export interface TestRow {
  id: string;
  price: number;
  isAvailable?: boolean;
}

export function testSource(
  name: string,
  changes: Partial<LiveSource> & { scopeNames?: readonly string[] } = {},
): LiveSource {
  const { scopeNames = [], ...rest } = changes;
  const url = `https://${name}.example/${name}/offers`;
  return {
    name,
    title: name,
    homepage: "https://example.com",
    type: "vm",
    kind: "list",
    secrets: [],
    optionalSecrets: [],
    hosts: [`${name}.example`],
    intervalSeconds: 600,
    maxBytes: 1024 * 1024,
    spacingMs: 0,
    stock: "live",
    recordedAt: "2026-11-01",
    currency: "USD",
    mayBeEmpty: false,
    scopes: null,
    terms: "",
    includes: "",
    omits: "",
    *requests({ secrets }) {
      const headers = Object.fromEntries(Object.values(secrets).map((value) => ["authorization", `Bearer ${value}`]));
      if (scopeNames.length === 0) {
        yield { part: "offers", main: true, method: "GET", url, headers };
      }
      for (const scope of scopeNames) {
        yield { part: "offers", main: true, method: "GET", url: `${url}/${scope}`, headers, scope };
      }
    },
    *read(replies) {
      yield { kind: "provider", where: "the source", provider: { name, type: "vm", images: [] } };
      for (const reply of replies) {
        yield* readReply(name, reply);
      }
    },
    ...rest,
  };
}

function* readReply(name: string, reply: LiveReply): Generator<LiveItem> {
  if (isFailure(reply)) {
    return;
  }
  let rows: unknown;
  try {
    rows = JSON.parse(Buffer.from(reply.body).toString("utf8"));
  } catch {
    throw new SourceError("The response is not JSON.");
  }
  if (!Array.isArray(rows)) {
    throw new SourceError("The response is not a list.");
  }
  for (const [index, row] of (rows as TestRow[]).entries()) {
    const where = `[${index}]`;
    const { scope } = reply.request;
    const isPriced = typeof row.price === "number" && row.price > 0;
    yield {
      ...(isPriced
        ? { kind: "offer", listing: UNKNOWN_LISTING_FACTS, where, offer: testOffer(name, row) }
        : { kind: "rejection", where, code: "bad_price", reason: "The price is bad.", countsAsGpuRow: true }),
      ...(scope === undefined ? {} : { scope }),
    };
  }
}

export function testOffer(provider: string, { id, price, isAvailable = true }: TestRow): Offer {
  return exampleOffer({
    id: offerId(provider, id, "somewhere"),
    provider: { name: provider, slug: provider },
    gpu: { name: "H100 SXM", slug: "h100-sxm", vramGB: 80, architecture: "Hopper" },
    region: "somewhere",
    regionInfo: { countryCode: "NO", countryName: "Norway", cityState: "Oslo", continent: "Europe" },
    priceHourly: price,
    pricePerGpu: price,
    isAvailable,
    specs: { vcpu: 16, ram: 128, disk: 0 },
    storageCostPerGB: 0,
    storageMinGB: 100,
    storageMaxGB: 100,
  });
}

/** Rows of such a response. */
export const testRows = (count: number, price = 2): TestRow[] =>
  Array.from({ length: count }, (_, number) => ({ id: `type-${number}`, price: price + number / 100 }));

/** Limits of time that a test can wait for. */
export const QUICK_LIMITS = { connectMs: 2_000, silenceMs: 400, requestMs: 1_500, retryMs: { min: 1, max: 5 } };
