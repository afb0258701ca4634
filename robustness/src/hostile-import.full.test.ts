import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { adminDone, startAdmin } from "@gpu-offers/testkit/admin";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { nativeFile, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { startService } from "@gpu-offers/testkit/service";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";
import { databaseHash } from "./database-hash.ts";
import { contentOf, hostileFiles, soundFile, type HostileFile } from "./hostile-files.ts";
import { stressTest } from "./stress-test.ts";

const MAX_MEGABYTES = 256;

/** Row count of the full run, whose largest row has 1 GiB. */
const FULL = 600_000;

/** Matches the location of a problem in a message to the operator, or a problem of the whole file. */
const PLACE = /(?:line|row) \d+|(?:offers|providers)\[\d+\]|compressed with gzip/;

/** Imports a file by streaming it to the command. */
async function importFrom(databasePath: string, file: HostileFile) {
  const peakFile = join(tempFolder(), "peak");
  const provider = file[1] === "skypilot" ? ["--provider", "fjord"] : [];
  const running = startAdmin(databasePath, ["catalog", "import", "-", "--format", file[1], ...provider], {
    settings: {
      NODE_OPTIONS: `--import=${join(import.meta.dirname, "peak-memory.ts")}`,
      PEAK_MEMORY_FILE: peakFile,
    },
    stdin: "open",
  });
  // A command that has read enough closes its input; the rest of the file is discarded.
  await pipeline(
    Readable.from(contentOf(file), { objectMode: false }),
    running.child.stdin as NodeJS.WritableStream,
  ).catch(() => {});
  const { code, stdout, stderr } = await running.ended;
  return { code, said: `${stdout}${stderr}`.trim(), megabytes: Number(readFileSync(peakFile, "utf8")) / 1024 };
}

stressTest(
  "hostile imports",
  {
    bar: "rejected with a line number, memory <= 256 MB",
    unit: "rows",
    n: FULL,
    shortN: 2_000,
  },
  async ({ n, isFull, report }) => {
    const databasePath = tempDatabase();
    await adminDone(databasePath, "catalog", "import", nativeFile(nativeRows(3)), "--format", "native");
    const service = await startService({ databasePath, settings: { LOG_LEVEL: "warn" } });
    const tagOf = async (): Promise<unknown> => (await fetchFrom(service, "/api/v1/offers")).headers.etag;
    const tag = await tagOf();
    const before = databaseHash(databasePath);
    // The readers' own tests cover each file; a short run sends every third through the command.
    const files = hostileFiles(n, Math.max(17, Math.round((1_024 * n) / FULL))).filter(
      (_, place) => isFull || place % 3 === 0,
    );
    let worst = { what: "", megabytes: 0 };
    const importOne = async (path: string, file: HostileFile) => {
      const { megabytes, ...ending } = await importFrom(path, file);
      const [what] = file;
      worst = megabytes > worst.megabytes ? { what, megabytes } : worst;
      report(megabytes > MAX_MEGABYTES ? `${what}: ${Math.round(megabytes)} MB of memory` : undefined);
      report((await tagOf()) === tag ? undefined : `${what}: another catalog is served`);
      return { what, ...ending };
    };
    for (const file of files) {
      const { what, code, said } = await importOne(databasePath, file);
      report(code === 1 && PLACE.test(said) ? undefined : `${what}: exit code ${code}: ${said}`);
    }
    const { what, code, said } = await importOne(tempDatabase(), soundFile(n));
    report(code === 0 ? undefined : `${what}: the file is valid, but the exit code is ${code}: ${said}`);
    report(databaseHash(databasePath) === before ? undefined : "the stored catalog has changed");
    await service.stop();
    return `${files.length + 1} files; ${Math.round(worst.megabytes)} MB (${worst.what})`;
  },
);
