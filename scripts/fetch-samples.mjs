// Downloads real catalog files and recorded responses that tests read if present. They belong to other projects, some
// without a license, so they are not part of this repository. samples.json has each file's path in the folder, and its
// repository, commit and path there.
//
//     node scripts/fetch-samples.mjs [folder]      by default samples/, which git ignores
//
// SAMPLES_BASE_URL replaces https://raw.githubusercontent.com, for a mirror.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import samples from "./samples.json" with { type: "json" };

const BASE_URL = process.env.SAMPLES_BASE_URL ?? "https://raw.githubusercontent.com";
const TIMEOUT_MS = 60_000;

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL("../samples", import.meta.url)));
const failures = [];
for (const { path, repository, commit, file } of samples) {
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
console.log(`${samples.length - failures.length} of ${samples.length} files are in ${folder}.`);
process.exitCode = failures.length === 0 ? 0 : 1;
