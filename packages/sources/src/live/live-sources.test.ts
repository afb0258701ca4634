import { publishedOfferSchema } from "@gpu-offers/domain";
import { describe, expect, test } from "vitest";
import { ofKind, offersOf } from "../source.fixture.js";
import { runRequests } from "./live-run.js";
import {
  isKeyless,
  missingSecrets,
  providersOf,
  stockOf,
  type LiveItem,
  type LiveRequest,
  type LiveSource,
} from "./live-source.js";
import { isMarketplace } from "../marketplaces.js";
import { findLiveSource, liveSources, nearestLiveSource } from "./live-sources.js";
import { readReplies, sourceItems } from "./recordings.fixture.js";
import { bytesOf, readBodies, sampleContext, samples } from "./samples.fixture.js";

const names = liveSources.map(({ name }) => name);

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

const rejectionsOf = (items: readonly LiveItem[]) => ofKind(sourceItems(items), "rejection").map(({ code }) => code);

// The known prices of each source's sample, calculated by hand from its units, and the outcome of its other rows.
const expected: Readonly<Record<string, { offers: string[]; rejections: string[]; skipped: number }>> = {
  vast: {
    offers: ["2 rtx-4090, $0.7, Quebec, CA (CA), 16 vCPU 64 GB 0 GB disk, 10-812 GB at 0.000209, available"],
    rejections: ["spot_only"],
    skipped: 0,
  },
  runpod: {
    offers: [
      "1 l40s, $0.86, US-KS-2 (US), 16 vCPU 62 GB 0 GB disk, 10-2000 GB at 0.000137, available",
      "2 l40s, $1.72, US-KS-2 (US), 32 vCPU 124 GB 0 GB disk, 10-2000 GB at 0.000137, available",
      "1 l40s, $0.7, unknown (ZZ), 0 vCPU 0 GB 0 GB disk, 10-2000 GB at 0.000137",
      "2 l40s, $1.4, unknown (ZZ), 0 vCPU 0 GB 0 GB disk, 10-2000 GB at 0.000137",
    ],
    rejections: ["not_rentable"],
    skipped: 0,
  },
  verda: {
    offers: ["2 h200-sxm, $5.98, FIN-03 (FI), 88 vCPU 370 GB 0 GB disk, 0-0 GB at 0, available, nvlink, at least"],
    rejections: [],
    skipped: 1,
  },
  vultr: {
    offers: [
      "2 l40s, $3.342, ams (NL), 32 vCPU 360 GB 2400 GB disk, 2400-2400 GB at 0, available",
      "8 mi325x, $37.2, unknown (ZZ), 256 vCPU 3072 GB 28608 GB disk, 28608-28608 GB at 0",
    ],
    rejections: ["fractional_gpu"],
    skipped: 1,
  },
  linode: {
    offers: [
      "2 rtx-4000-ada, $1.4, br-gru (BR), 8 vCPU 32 GB 512 GB disk, 512-512 GB at 0",
      "2 rtx-4000-ada, $1.04, us-ord (US), 8 vCPU 32 GB 512 GB disk, 512-512 GB at 0, available",
    ],
    rejections: [],
    skipped: 1,
  },
  ovhcloud: {
    offers: ["2 l40s, $3.6, US-EAST-VA-1 (US), 30 vCPU 180 GB 400 GB disk, 400-400 GB at 0, available"],
    rejections: ["other_terms"],
    skipped: 1,
  },
  oci: {
    offers: [
      "8 h200-sxm, $76, unknown (ZZ), 224 vCPU 3072 GB 0 GB disk, 0-0 GB at 0, nvlink, RDMA 3200 Gbps, at least",
    ],
    rejections: ["other_terms"],
    skipped: 0,
  },
  azure: {
    offers: ["2 a100-pcie-80gb, $7.346, westus3 (US), 48 vCPU 440 GB 0 GB disk, 0-0 GB at 0, available, at least"],
    rejections: ["spot_only", "other_terms", "other_terms", "not_a_gpu"],
    skipped: 0,
  },
  aws: {
    offers: ["4 a10g, $3.912, us-east-2 (US), 48 vCPU 192 GB 3800 GB disk, 0-0 GB at 0, available, at least"],
    rejections: ["not_a_gpu"],
    skipped: 1,
  },
  lambda: {
    offers: [
      "2 h100-sxm, $6.38, us-west-3 (US), 52 vCPU 450 GB 5632 GB disk, 5632-5632 GB at 0, available, nvlink",
      "1 gh200-96gb, $1.49, unknown (ZZ), 64 vCPU 432 GB 4096 GB disk, 4096-4096 GB at 0",
    ],
    rejections: [],
    skipped: 0,
  },
  shadeform: {
    offers: ["4 rtx-a6000, $2.16, wichita-usa-1 (US), 24 vCPU 192 GB 1024 GB disk, 1024-1024 GB at 0, available"],
    rejections: ["not_a_gpu"],
    skipped: 0,
  },
  primeintellect: {
    offers: [
      "8 a100-sxm-40gb, $10.32, united_states (US), 124 vCPU 1800 GB 0 GB disk, 50-1000 GB at 0.00015, available, nvlink, InfiniBand 200 Gbps",
    ],
    rejections: ["spot_only", "bad_price"],
    skipped: 0,
  },
  lium: {
    offers: [
      "1 rtx-4090, $0.3, Frankfurt, Hesse, DE (DE), 0 vCPU 0 GB 0 GB disk, 0-0 GB at 0, available, at least",
      "3 rtx-4090, $0.9, Frankfurt, Hesse, DE (DE), 0 vCPU 0 GB 0 GB disk, 0-0 GB at 0, available, at least",
    ],
    rejections: ["spot_only"],
    skipped: 0,
  },
  cloudrift: {
    offers: [
      "2 rtx-5090, $1.3, us-east-nc-nr-1 (US), 32 vCPU 128 GB 1024 GB disk, 1024-1024 GB at 0, available",
      "2 rtx-5090, $1.3, us-west-1 (US), 32 vCPU 128 GB 1024 GB disk, 1024-1024 GB at 0",
    ],
    rejections: [],
    skipped: 1,
  },
  voltagepark: {
    offers: [
      "4 h100-sxm, $8.36, site-a (ZZ), 104 vCPU 464 GB 9600 GB disk, 9600-9600 GB at 0, available, nvlink",
      "8 h100-sxm, $15.92, site-b (ZZ), 208 vCPU 1000 GB 30000 GB disk, 30000-30000 GB at 0, nvlink",
      "8 h100-sxm, $19.92, site-b (ZZ), 208 vCPU 1000 GB 30000 GB disk, 30000-30000 GB at 0, available, nvlink, InfiniBand",
    ],
    rejections: [],
    skipped: 1,
  },
  hyperbolic: {
    offers: [
      "8 h100-sxm, $11.12, us-central-1 (US), 96 vCPU 2000 GB 24960 GB disk, 24960-24960 GB at 0, available, nvlink, InfiniBand",
      "1 h100-pcie, $1.6, eu-north-6 (ZZ), 28 vCPU 180 GB 850 GB disk, 850-850 GB at 0, available, RoCE",
    ],
    rejections: ["not_rentable"],
    skipped: 0,
  },
  gpuai: {
    offers: [
      "8 a100-sxm-80gb, $11.6, us-east (US), 192 vCPU 1996 GB 0 GB disk, 100-2000 GB at 0.00028, available, nvlink",
      "8 b300, $50.62, eu-east (ZZ), 224 vCPU 1920 GB 1000 GB disk, 1000-1000 GB at 0, nvlink",
    ],
    rejections: ["spot_only"],
    skipped: 1,
  },
  thunder: {
    offers: [
      "2 h100-pcie, $4.98, unknown (ZZ), 18 vCPU 90 GB 0 GB disk, 100-1000 GB at 0.0003, available",
      "1 a100-80gb, $0.78, unknown (ZZ), 4 vCPU 30 GB 0 GB disk, 100-500 GB at 0.0003",
    ],
    rejections: ["missing_value"],
    skipped: 4,
  },
  cudo: {
    // 0.40 + 12 x 0.0020 + 48 x 0.0030 + 0.0040, and of two GPUs twice that without the address.
    offers: [
      "1 a40, $0.572, se-stockholm-1 (SE), 12 vCPU 48 GB 0 GB disk, 10-900 GB at 0.0001, available, at least",
      "2 a40, $1.14, se-stockholm-1 (SE), 24 vCPU 96 GB 0 GB disk, 10-900 GB at 0.0001, at least",
    ],
    rejections: [],
    skipped: 1,
  },
  hyperstack: {
    offers: ["4 a100-pcie-80gb, $5.4, NORWAY-1 (NO), 124 vCPU 480 GB 3300 GB disk, 3300-3300 GB at 0, available"],
    rejections: ["spot_only"],
    skipped: 1,
  },
  digitalocean: {
    offers: ["8 h200-sxm, $27.52, atl1 (US), 192 vCPU 1920 GB 43006 GB disk, 43006-43006 GB at 0, available, nvlink"],
    rejections: [],
    skipped: 1,
  },
  latitude: {
    offers: [
      "4 l40s, $6.2, DAL (US), 64 vCPU 768 GB 7600 GB disk, 7600-7600 GB at 0",
      "4 l40s, $6.2, NYC (US), 64 vCPU 768 GB 7600 GB disk, 7600-7600 GB at 0, available",
    ],
    rejections: [],
    skipped: 1,
  },
  gcp: {
    // 8 x 9.796550569 + 208 x 0.03 + 1872 x 0.0026 + 6000 x 0.08 / 730.
    offers: [
      "8 h100-sxm, $90.137139, us-central1 (US), 208 vCPU 1872 GB 6000 GB disk, 0-0 GB at 0, nvlink, GPUDirect-TCPX 800 Gbps, at least",
    ],
    rejections: ["not_rentable", "other_terms", "not_rentable"],
    skipped: 4,
  },
  tensordock: {
    // 2.2 + 20 x 0.003 + 80 x 0.002, and twice that.
    offers: [
      "1 h100-sxm, $2.42, Austin, Texas, United States (US), 20 vCPU 80 GB 0 GB disk, 100-1000 GB at 0.00005, available",
      "2 h100-sxm, $4.84, Austin, Texas, United States (US), 40 vCPU 160 GB 0 GB disk, 100-1000 GB at 0.00005, available, nvlink",
    ],
    rejections: ["not_rentable"],
    skipped: 1,
  },
  hotaisle: {
    offers: ["1 mi300x, $1.99, us-michigan-1 (US), 13 vCPU 224 GB 12288 GB disk, 12288-12288 GB at 0, available"],
    rejections: ["other_terms"],
    skipped: 0,
  },
  jarvislabs: {
    offers: [
      "1 a100-80gb, $1.49, india-noida-01 (IN), 28 vCPU 112 GB 0 GB disk, 0-0 GB at 0, available, at least",
      "2 a100-80gb, $2.98, india-noida-01 (IN), 56 vCPU 224 GB 0 GB disk, 0-0 GB at 0, at least",
    ],
    rejections: ["other_terms"],
    skipped: 0,
  },
  seeweb: {
    // 1.70 EUR x 1.16.
    offers: ["2 l40s, $1.972, it-mi2 (IT), 16 vCPU 64 GB 500 GB disk, 500-500 GB at 0, available, at least"],
    rejections: ["not_rentable"],
    skipped: 1,
  },
  scaleway: {
    offers: ["2 h100-pcie, $5.8388, fr-par-1 (FR), 48 vCPU 480 GB 6000 GB disk, 0-0 GB at 0, available, at least"],
    rejections: [],
    skipped: 1,
  },
  skypilot: {
    offers: [
      "8 h200-sxm, $28, eu-north1 (FI), 128 vCPU 1600 GB 0 GB disk, 0-0 GB at 0, available, nvlink, InfiniBand 3200 Gbps, at least",
    ],
    rejections: [],
    skipped: 1,
  },
  gpuhunt: {
    offers: [
      "2 a100-sxm-80gb, $10.13, us-central1-a (US), 24 vCPU 340 GB 0 GB disk, 0-0 GB at 0, available, nvlink, at least",
    ],
    rejections: ["spot_only"],
    skipped: 1,
  },
};

describe("every source", () => {
  test("is listed once and has a sample", () => {
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(samples).toSorted()).toEqual(names.toSorted());
  });

  test.each(liveSources)("$name reads its sample", async (source) => {
    const items = await readBodies(source, samples[source.name] ?? {});
    const skipped = items.filter(({ kind }) => kind === "skipped").length;
    expect({ offers: summary(items), rejections: rejectionsOf(items), skipped }).toEqual(expected[source.name]);
    for (const offer of offersOf(sourceItems(items))) {
      expect(publishedOfferSchema.parse(offer)).toEqual(offer);
    }
  });

  test.each(liveSources)("$name yields each provider before its offers, and no undeclared one", async (source) => {
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

  test.each(liveSources.filter(({ scopes }) => scopes !== null))(
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

  test.each(liveSources)("$name reads no part of its sample as two offers", async (source) => {
    const once = await readBodies(source, samples[source.name] ?? {});
    const ids = offersOf(sourceItems(once)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const again = await readBodies(source, samples[source.name] ?? {});
    expect(again).toEqual(once);
  });

  test.each(liveSources.filter(({ kind }) => kind !== "feed"))(
    "$name lists its offers under the provider of the settings",
    async (source) => {
      const context = sampleContext(source, { provider: "my-cloud" });
      const items = await readBodies(source, samples[source.name] ?? {}, context);
      const providers = offersOf(sourceItems(items)).map(({ provider }) => provider.name);
      expect(new Set(providers)).toEqual(new Set(["my-cloud"]));
    },
  );

  test.each(liveSources)("$name sends HTTPS requests to its own hosts, and no secret in an address", async (source) => {
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
  test("has the sources that operators know by name", () => {
    expect(names.join(" ")).toBe(
      "vast runpod verda vultr linode ovhcloud oci azure aws lambda shadeform primeintellect lium cloudrift voltagepark " +
        "hyperbolic gpuai thunder cudo hyperstack digitalocean latitude gcp tensordock hotaisle jarvislabs seeweb scaleway skypilot gpuhunt",
    );
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
    const keyless = liveSources.filter(isKeyless).map(({ name }) => name);
    expect(keyless.join(" ")).toBe(
      "vast runpod verda vultr linode oci azure aws lium voltagepark hyperbolic gpuai cudo",
    );
  });

  test("agrees with the list of marketplaces, which decides between two prices of one machine", () => {
    const own = liveSources.filter(({ kind }) => kind !== "feed");
    expect(own.filter(({ name }) => isMarketplace(name)).map(({ name }) => name)).toEqual(
      own.filter(({ kind }) => kind === "marketplace").map(({ name }) => name),
    );
  });

  test("lists the missing secrets of a source", () => {
    const lambda = findLiveSource("lambda");
    expect(lambda && missingSecrets(lambda, {})).toEqual(["LAMBDA_API_KEY"]);
    expect(lambda && missingSecrets(lambda, { LAMBDA_API_KEY: "" })).toEqual(["LAMBDA_API_KEY"]);
    expect(lambda && missingSecrets(lambda, { LAMBDA_API_KEY: "x" })).toEqual([]);
  });
});
