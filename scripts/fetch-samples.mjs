// Downloads real catalog files and recorded responses that tests read if present. They belong to other projects, some
// without a license, so they are not part of this repository.
//
//     node scripts/fetch-samples.mjs [folder]      by default samples/, which git ignores
//
// SAMPLES_BASE_URL replaces https://raw.githubusercontent.com, for a mirror.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const BASE_URL = process.env.SAMPLES_BASE_URL ?? "https://raw.githubusercontent.com";
const TIMEOUT_MS = 60_000;

const seedling = "OutpostLabs/seedling-catalog";
const SEEDLING_COMMIT = "7068b95b9c5bf8a74a0a8c1e4977d7bbbed38e4b";
const skypilot = "skypilot-org/skypilot-catalog";
const gpuPrices = "markrusch/Compute-Index";

/** Path in the folder, and the origin of the file: repository, commit, path. */
const SAMPLES = [
  ...["aws", "azure", "cudo", "do", "fluidstack", "lambda", "paperspace", "runpod"].map((cloud) => [
    `data/skypilot-catalog/v5-2024-11/${cloud}/vms.csv`,
    seedling,
    SEEDLING_COMMIT,
    `catalogs/v5/${cloud}/vms.csv`,
  ]),
  [
    "data/skypilot-catalog/v5-2023-01/gcp/vms.csv",
    "fluidstackio/skypilot-catalog",
    "96019a2f8e1c8d2acb887332e35557cded8b5d30",
    "catalogs/v5/gcp/vms.csv",
  ],
  ...[
    ["v8", "vast", "01b8cdda287814b30ff0acb49746cca19fbd4355"],
    ["v8", "verda", "000c1d0bf24621f4ac37cfa585f0897c1aa1d9cf"],
    ["v8", "shadeform", "002363dac75913b446b2d3d564ae795678849dfd"],
    ["v8", "hyperstack", "fdc9d908ab0b2af9f468f139fb3f662c8c6b3257"],
    ["v7", "hyperbolic", "00e7b160594c0b6168e0cebca7011cc431a831bb"],
  ].map(([version, cloud, commit]) => [
    `data/skypilot-catalog/${version}/${cloud}/vms.csv`,
    skypilot,
    commit,
    `catalogs/${version}/${cloud}/vms.csv`,
  ]),
  ...["availability_response.json", "availability_disks.json"].map((name) => [
    `data/primeintellect/${name}`,
    "PrimeIntellect-ai/prime",
    "6744759987beeea7183e98798d1a29fce3a0740a",
    `packages/prime/tests/data/${name}`,
  ]),
  ["live/vast/bundles-h100-2026-07-18.json", gpuPrices, "5cd6b4ee", "tests/fixtures/vast_bundles.json"],
  ["live/runpod/graphql-gputypes-2026-07-18.json", gpuPrices, "d61b1ba0", "tests/fixtures/runpod_gputypes.json"],
];

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL("../samples", import.meta.url)));
const failures = [];
for (const [path, repository, commit, file] of SAMPLES) {
  const url = `${BASE_URL}/${repository}/${commit}/${file}`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) {
      throw new Error(`status ${response.status}`);
    }
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, Buffer.from(await response.arrayBuffer()));
    console.log(path);
  } catch (error) {
    failures.push(`${path}: ${error.cause?.message ?? error.message} (${url})`);
  }
}
for (const failure of failures) {
  console.error(`not downloaded: ${failure}`);
}
console.log(`${SAMPLES.length - failures.length} of ${SAMPLES.length} files are in ${folder}.`);
process.exitCode = failures.length === 0 ? 0 : 1;
