import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { findLiveSource } from "./live/live-sources.js";
import { readBody, recordedBodies, recordedBytes, sourceItems } from "./live/recordings.fixture.js";
import { names, offers, present, readCatalogs, skipped } from "./skypilot/catalogs.fixture.js";
import { offersOf } from "./source.fixture.js";

// Ids of offers never change: links, histories and selections hold them. These are digests of the ids of each sample file
// and recording. New offers change a digest, too; check that all earlier ids are still there before replacing it.

const PINNED: Readonly<Record<string, string>> = {
  aws: "1489 0a062793e5e25c3d",
  azure: "165 0af74370196f7918",
  cudo: "69 83cf0de4d518be92",
  "data/gpuhunt-fixtures/digitalocean_sizes.json": "2 17d7afd03836e8bb",
  "data/gpuhunt-fixtures/verda_instance_types.json": "3 423f6c88fc309faf",
  "data/gpuhunt-fixtures/vultr_plans.json": "1 afbd5145dab93c4f",
  "data/gpuhunt-fixtures/vultr_plans_metal.json": "2 62cbb5e89633cb2b",
  "data/primeintellect/availability_response.json": "8 2d5ac5b54b61691b",
  do: "2 faa3328ab455755f",
  fluidstack: "14 94f216ec38961e31",
  gcp: "40 b602331ddede0f08",
  hyperbolic: "37 be22cde74f110e1b",
  hyperstack: "25 ae7cfd99b4a15aad",
  lambda: "221 720396307aaeb0e0",
  "live/aws/website-ondemand-us-east-1-gpu-rows-2026.json": "10 c17baa028ef5c81a",
  "live/azure/retail-h100-westeurope-2026-08.json": "4 0639e3a6df4a9d61",
  "live/azure/retail-items-excerpt-2026.json": "8 966ce7d9da42276a",
  "live/gcp/skus-gpu-0.json": "0 e3b0c44298fc1c14",
  "live/gpuai/pricing-page1-2026-08-22.json": "16 dc342886c03addf7",
  "live/hyperbolic/rental-options-2026-08.json": "13 9fa010530669b1e2",
  "live/jarvislabs/server-meta-0.json": "38 c52afdf939fe27ca",
  "live/lambda/instance-types-2026-08-20-trimmed.json": "22 b74b85c7c5993c07",
  "live/latitude/plans-0.json": "37 eded7bce735a6580",
  "live/linode/types-0.json": "4 b353c4c75bf5ce1d",
  "live/lium/executors-excerpt-2026-08-22.json": "7 6f7ba5a456ab3d7e",
  "live/lium/nodes-0.json": "4 4b01a2b3f2e6d746",
  "live/oci/products-gpu-2026-10-01.json": "21 ae1c0f5d377490e4",
  "live/ovhcloud/order-catalog-public-cloud-trimmed-2026-08.json": "0 e3b0c44298fc1c14",
  "live/runpod/graphql-gputypes-2026-07-18.json": "66 d85950d17ed11605",
  "live/scaleway/fr-par-1/answer-1.json": "0 e3b0c44298fc1c14",
  "live/seeweb/plans-0.json": "0 e3b0c44298fc1c14",
  "live/vast/bundles-h100-2026-07-18.json": "48 dad333a23ef0f36e",
  "live/verda/instance-types-excerpt-2026.json": "6 f46a5a57af403623",
  "live/voltagepark/instant-deploy-presets-2026-08.json": "4 d80586e3c9f6c5d5",
  paperspace: "14 689924546d754726",
  runpod: "79 d423dbb270c9a0c1",
  runpodOld: "480 5c5c8c86f3401dcd",
  shadeform: "117 540f3c458c411bbd",
  vast: "67 38bf001f4e825cfa",
  verda: "17 eb9ad3fa95283147",
};

/** The number of offers, and a digest of their sorted ids. */
function digestOf(ids: readonly string[]): string {
  const digest = createHash("sha256")
    .update(ids.toSorted((a, b) => (a < b ? -1 : 1)).join("\n"))
    .digest("hex");
  return `${ids.length} ${digest.slice(0, 16)}`;
}

describe.skipIf(!present)(`the ids of offers${skipped}`, () => {
  beforeAll(readCatalogs);

  test("of every sample file and recording are those of the first release", async () => {
    const found: Record<string, string> = {};
    for (const name of names) {
      found[name] = digestOf(offers(name).map(({ id }) => id));
    }
    for (const { source, path } of recordedBodies) {
      const live = findLiveSource(source);
      const items = live === undefined ? [] : await readBody(live, recordedBytes(path));
      found[path] = digestOf(offersOf(sourceItems(items)).map(({ id }) => id));
    }
    expect(found).toEqual(PINNED);
  });
});
