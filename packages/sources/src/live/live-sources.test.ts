import { readdirSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { present, publishedOfferSchema } from "@gpu-offers/domain";
import { afterEach, describe, expect, test, vi } from "vitest";
import { bytesOf as chunksOf, collect, ofKind, offersOf } from "../source.fixture.js";
import { LiveOffers, type LiveRow } from "./live-offers.js";
import { runRequests } from "./live-run.js";
import {
  isKeyless,
  isVerified,
  missingSecrets,
  providersOf,
  stockOf,
  type LiveItem,
  type LiveRequest,
  type LiveSource,
} from "./live-source.js";
import { readNative } from "../native/read-native.js";
import { knownFacts, writeNative } from "../native/write-native.js";
import { isMarketplace } from "../duplicates.js";
import { Rejection } from "../rejection.js";
import { findLiveSource, liveSources, nearestLiveSource } from "./live-sources.js";
import {
  readReplies,
  sourceItems,
  bytesOf,
  readBodies,
  sampleContext,
  sampleFiles,
  samples,
} from "./recordings.fixture.js";

/** What reading a sample must return, calculated by hand from its units. */
interface SampleOutcome {
  /** The error-prone parts of each offer, on one line. */
  offers: string[];
  /** What each of them states beyond: instance type, seller, spot terms, storage, and any other known fact. */
  listings: object[];
  /** Codes of the rejected rows. */
  rejections: string[];
  /** Number of rows that are no GPU instances. */
  skipped: number;
}

/** What reading each sample returns, by the name of the source. */
const outcomes: Readonly<Record<string, SampleOutcome>> = Object.fromEntries(
  // The files are written for this test.
  sampleFiles.map(([name, { expected }]) => [name, expected as SampleOutcome]),
);

const names = liveSources.map(({ name }) => name);

/** A source without a sample fails one test, which says so. */
const sampled = liveSources.filter(({ name }) => name in samples);

/** The error-prone parts of an offer, on one line. */
function summary(items: readonly LiveItem[]): string[] {
  return offersOf(sourceItems(items)).map((offer) => {
    const { gpu, gpuCount, priceHourly, region, regionInfo, specs } = offer;
    const flags = [
      offer.isAvailable ? "available" : "",
      offer.nvlinkEnabled ? "nvlink" : "",
      typeof offer.interconnect === "string" ? offer.interconnect : "",
      offer.costDataComplete ? "" : "at least",
    ].filter(Boolean);
    const disk = `${offer.storageMinGB}-${offer.storageMaxGB} GB at ${offer.storageCostPerGB}`;
    const place = `${region} (${regionInfo.countryCode})`;
    const machine = `${specs.vcpu} vCPU ${specs.ram} GB ${specs.disk} GB disk`;
    return `${gpuCount} ${gpu.slug}, $${priceHourly}, ${place}, ${machine}, ${disk}${flags.map((flag) => `, ${flag}`).join("")}`;
  });
}

/** Everything known beyond the offers. */
const factsOf = (items: readonly LiveItem[]) =>
  ofKind(sourceItems(items), "offer").map(({ listing }) => knownFacts(listing));

const rejectionsOf = (items: readonly LiveItem[]) => ofKind(sourceItems(items), "rejection").map(({ code }) => code);

describe("every source", () => {
  test.each(liveSources)("$name has its places", ({ name, kind }) => {
    const missing = [
      ...(names.filter((each) => each === name).length === 1 ? [] : [`${name} is twice in live-sources.ts.`]),
      ...(name in samples
        ? []
        : [`${name} needs a small response in test/samples/${name}.json, with what is expected.`]),
      ...(kind === "feed" || (kind === "marketplace") === isMarketplace(name)
        ? []
        : [`${name} is a ${kind}: correct facts/providers.csv.`]),
    ];
    if (missing[0] !== undefined) {
      throw new Error(missing[0]);
    }
  });

  test("that has a file is listed", () => {
    const folder = new URL("./", import.meta.url);
    const declared = readdirSync(folder).flatMap(
      (file) =>
        /^export const (\w+): LiveSource = /m.exec(
          file.endsWith(".ts") && !file.endsWith(".fixture.ts") ? readFileSync(new URL(file, folder), "utf8") : "",
        )?.[1] ?? [],
    );
    const unlisted = [...declared, ...Object.keys(samples)].find((name) => !names.includes(name));
    if (unlisted !== undefined) {
      throw new Error(`${unlisted} is not in the list of live-sources.ts.`);
    }
  });

  test.each(sampled)("$name reads its sample", async (source) => {
    const items = await readBodies(source, samples[source.name] ?? {});
    const skipped = items.filter(({ kind }) => kind === "skipped").length;
    const read = { offers: summary(items), listings: factsOf(items), rejections: rejectionsOf(items), skipped };
    expect(read).toEqual(outcomes[source.name]);
    for (const offer of offersOf(sourceItems(items))) {
      expect(publishedOfferSchema.parse(offer)).toEqual(offer);
    }
  });

  test.each(sampled)("$name's offers are the same after export and import", async (source) => {
    const items = sourceItems(await readBodies(source, samples[source.name] ?? {}));
    const providers = ofKind(items, "provider").map(({ provider }) => provider);
    const offers = ofKind(items, "offer");
    const lines = writeNative({ asOf: "2026-11-26", offerCount: offers.length }, providers, offers);
    const again = await collect(readNative(chunksOf((await collect(lines)).join(""))));
    expect(ofKind(again, "rejection")).toEqual([]);
    expect(ofKind(again, "provider").map(({ provider }) => provider)).toEqual(providers);
    expect(ofKind(again, "offer").map(({ offer, listing }) => ({ offer, listing }))).toEqual(
      offers.map(({ offer, listing }) => ({ offer, listing })),
    );
  });

  test.each(sampled)("$name yields each provider before its offers, and no undeclared one", async (source) => {
    const context = sampleContext(source);
    const items = await readBodies(source, samples[source.name] ?? {}, context);
    const known = new Set<string>();
    const unnamed: string[] = [];
    for (const item of items) {
      if (item.kind === "provider") {
        known.add(item.provider.name);
      }
      if (item.kind === "offer") {
        unnamed.push(...[item.offer.provider.name].filter((name) => !known.has(name)));
      }
    }
    expect(unnamed).toEqual([]);
    expect([...known]).toEqual(providersOf(source, context.settings));
  });

  test.each(sampled.filter(({ scopes }) => scopes !== null))(
    "$name loses only the scope whose response is a login page",
    async (source) => {
      const context = sampleContext(source);
      const [good = ""] = context.settings.scopes ?? [];
      const bad = source.name === "runpod" ? "community US" : "other";
      const bodies = samples[source.name] ?? {};
      const settings = { ...context.settings, scopes: [good, bad] };
      const { replies, failedScopes } = await runRequests(source, { ...context, settings }, async (request) => ({
        request,
        status: 200,
        headers: {},
        body: bytesOf(request.scope?.startsWith(bad) === true ? "<html>Log in</html>" : bodies[request.part]),
      }));
      const items = await readReplies(source, replies, context);
      const failures = items.flatMap((item) => (item.kind === "failure" ? [item.scope] : []));
      expect([...failedScopes.keys(), ...failures]).toContain(bad);
      expect(offersOf(sourceItems(items))).toEqual(offersOf(sourceItems(await readBodies(source, bodies, context))));
    },
  );

  test.each(sampled)("$name reads no part of its sample as two offers", async (source) => {
    const once = await readBodies(source, samples[source.name] ?? {});
    const ids = offersOf(sourceItems(once)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const again = await readBodies(source, samples[source.name] ?? {});
    expect(again).toEqual(once);
  });

  test.each(sampled.filter(({ kind }) => kind !== "feed"))(
    "$name lists its offers under the provider of the settings",
    async (source) => {
      const context = sampleContext(source, { provider: "my-cloud" });
      const items = await readBodies(source, samples[source.name] ?? {}, context);
      const providers = offersOf(sourceItems(items)).map(({ provider }) => provider.name);
      expect(new Set(providers)).toEqual(new Set(["my-cloud"]));
    },
  );

  test.each(sampled)("$name sends HTTPS requests to its own hosts, and no secret in an address", async (source) => {
    const secrets = Object.fromEntries(
      [...source.secrets, ...source.optionalSecrets].map((name) => [name, `canary-${name}`]),
    );
    const requests = await requestsOf(source, secrets);
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.some(({ main }) => main)).toBe(true);
    for (const { url } of requests) {
      expect(source.hosts).toContain(new URL(url).hostname);
      expect(new URL(url).protocol).toBe("https:");
      expect(url).not.toContain("canary");
    }
    const carriers = requests.map(({ headers, body }) => JSON.stringify([headers, body])).join("");
    for (const secret of Object.values(secrets)) {
      expect(carriers).toContain(secret);
    }
  });

  test.each(liveSources)("$name survives the failure of every request, without offers", async (source) => {
    const context = { ...sampleContext(source), recorded: false };
    const run = await runRequests(source, context, async (request) => ({ request, failure: "It failed." }));
    expect(run.completeScopes).toEqual([]);
    expect(run.replies.every((reply) => "failure" in reply)).toBe(true);
  });
});

describe("samples show", () => {
  // SkyPilot's files have a reader of their own.
  const everySource = names
    .filter((name) => name !== "skypilot")
    .toSorted()
    .join(" ");
  const spotSources = "aws azure gcp gpuhunt jarvislabs vast verda vultr";
  const stating = (row: LiveRow, listing: LiveRow["listing"]): LiveRow => ({
    ...row,
    listing: { ...row.listing, ...listing },
  });
  const withSpot = (row: LiveRow, factor: number): LiveRow => {
    const { spot } = row.listing ?? {};
    return spot == null ? row : stating(row, { spot: { ...spot, priceHourly: spot.priceHourly * factor } });
  };

  afterEach(() => vi.restoreAllMocks());

  test.each<[string, (row: LiveRow) => LiveRow, string]>([
    ["a spot price 100 times too high", (row) => withSpot(row, 100), spotSources],
    ["a spot price 1 % too low", (row) => withSpot(row, 0.99), spotSources],
    ["another instance type", (row) => stating(row, { instanceType: "another" }), everySource],
    [
      "another seller",
      (row) => stating(row, { seller: row.listing?.seller === "host" ? "cloud" : "host" }),
      everySource,
    ],
    ["another level of stock", (row) => ({ ...row, stockLevel: "another" }), everySource],
    [
      "another price of the disk",
      (row) => (row.disk.kind === "chosen" ? { ...row, disk: { ...row.disk, pricePerGbMonth: 7 } } : row),
      "gpuai primeintellect tensordock thunder vast",
    ],
  ])("%s, in every source that states it", async (_, change, expected) => {
    const { item } = Object.getOwnPropertyDescriptors(LiveOffers.prototype);
    vi.spyOn(LiveOffers.prototype, "item").mockImplementation(function (this: LiveOffers, where, row, scope) {
      return present(item.value).call(this, where, row instanceof Rejection ? row : change(row), scope);
    });
    const shown: string[] = [];
    for (const { name, ...source } of sampled) {
      const items = await readBodies({ name, ...source }, samples[name] ?? {});
      const { offers, listings } = present(outcomes[name]);
      if (!isDeepStrictEqual([summary(items), factsOf(items)], [offers, listings])) {
        shown.push(name);
      }
    }
    expect(shown.sort().join(" ")).toBe(expected);
  });
});

async function requestsOf(source: LiveSource, secrets: Record<string, string>): Promise<LiveRequest[]> {
  const requests: LiveRequest[] = [];
  const context = { ...sampleContext(source), secrets, recorded: false };
  const token = { access_token: "a-token" };
  await runRequests(source, context, async (request) => {
    requests.push(request);
    const body = samples[source.name]?.[request.part] ?? token;
    return { request, status: 200, headers: {}, body: bytesOf(body) };
  });
  return requests;
}

describe("the registry", () => {
  test("keeps the sources that operators know by name", () => {
    const known = (
      "vast runpod verda vultr linode ovhcloud oci azure aws lambda shadeform primeintellect lium cloudrift voltagepark " +
      "hyperbolic gpuai thunder hyperstack digitalocean latitude gcp tensordock hotaisle jarvislabs seeweb scaleway skypilot gpuhunt"
    ).split(" ");
    expect(names).toEqual(expect.arrayContaining(known));
  });

  test("finds a source by its name, and a near name for a mistyped one", () => {
    expect(findLiveSource("vast")?.title).toBe("Vast.ai");
    expect(findLiveSource("Vast")).toBeUndefined();
    expect(nearestLiveSource("Vats")).toBe("vast");
    expect(nearestLiveSource("prime-intelect")).toBe("primeintellect");
    expect(nearestLiveSource("Prime")).toBe("primeintellect");
    expect(nearestLiveSource("something-else-altogether")).toBeUndefined();
  });

  test("know the stock, unless it needs a key that is not set", () => {
    const unknown = liveSources.filter((source) => stockOf(source, false) !== stockOf(source, true));
    expect(unknown.map((source) => [source.name, stockOf(source, false), stockOf(source, true)])).toEqual([
      ["verda", "unknown", "live"],
    ]);
    expect(unknown.every(({ optionalSecrets }) => optionalSecrets.length > 0)).toBe(true);
  });

  test("enables without a key only verified sources in USD that are not third-party collections", () => {
    const keyless = liveSources.filter((source) => isKeyless(source, Date.parse("2026-11-20"))).map(({ name }) => name);
    expect(keyless.join(" ")).toBe("vast runpod verda vultr oci azure aws lium voltagepark hyperbolic gpuai");
  });

  test("are verified by a response of the last year", () => {
    const now = Date.parse("2026-11-20");
    const isVerifiedAt = (recordedAt: string | null) => isVerified({ recordedAt }, now);
    expect(["2026-08", "2025-11-21", "2025-11-01", null].map(isVerifiedAt)).toEqual([true, true, false, false]);
  });

  test("lists the missing secrets of a source", () => {
    const lambda = findLiveSource("lambda");
    expect(lambda && missingSecrets(lambda, {})).toEqual(["LAMBDA_API_KEY"]);
    expect(lambda && missingSecrets(lambda, { LAMBDA_API_KEY: "" })).toEqual(["LAMBDA_API_KEY"]);
    expect(lambda && missingSecrets(lambda, { LAMBDA_API_KEY: "x" })).toEqual([]);
  });
});
