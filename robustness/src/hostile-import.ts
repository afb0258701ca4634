import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { adminDone, databaseUrlOf } from "@gpu-offers/testkit/admin";
import { fetchFrom } from "@gpu-offers/testkit/http";
import { nativeFile, nativeRows } from "@gpu-offers/testkit/native-catalogs";
import { startProcess } from "@gpu-offers/testkit/running-process";
import { startService } from "@gpu-offers/testkit/service";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";
import { databaseHash } from "./database-hash.ts";
import { hostileFiles, type HostileFile } from "./hostile-files.ts";
import { shown, type Row } from "./row.ts";

const MAX_MEGABYTES = 256;

/** Row count of the full run, whose largest row has 1 GiB. */
const FULL = 600_000;

/** Matches the location of a problem in a message to the operator, or a problem of the whole file. */
const PLACE = /(?:line|row) \d+|(?:offers|providers)\[\d+\]|compressed with gzip/;

interface Ending {
  code: number | null;
  said: string;
  peakMegabytes: number;
}

/** Imports a file by streaming it to the command. */
async function importFrom(databasePath: string, { format, content }: HostileFile): Promise<Ending> {
  const peakFile = join(tempFolder(), "peak");
  const args = [
    "catalog",
    "import",
    "-",
    "--format",
    format,
    ...(format === "skypilot" ? ["--provider", "fjord"] : []),
  ];
  const running = startProcess(
    "admin/main.js",
    args,
    {
      DATABASE_URL: databaseUrlOf(databasePath),
      NODE_OPTIONS: `--import=${fileURLToPath(new URL("./peak-memory.ts", import.meta.url))}`,
      PEAK_MEMORY_FILE: peakFile,
    },
    { stdin: "open" },
  );
  const { stdin } = running.child;
  if (stdin === null) {
    throw new Error("The command's standard input is missing.");
  }
  // A command that has read enough closes its input; the rest of the file is discarded.
  await pipeline(Readable.from(content(), { objectMode: false }), stdin).catch(() => {});
  const { code, stdout, stderr } = await running.ended;
  return { code, said: `${stdout}${stderr}`.trim(), peakMegabytes: Number(readFileSync(peakFile, "utf8")) / 1024 };
}

function endingProblem({ isSound = false }: HostileFile, { code, said, peakMegabytes }: Ending): string | undefined {
  if (peakMegabytes > MAX_MEGABYTES) {
    return `${Math.round(peakMegabytes)} MB of memory`;
  }
  if (isSound) {
    return code === 0 ? undefined : `the file is valid, but the exit code is ${code}: ${said}`;
  }
  if (code !== 1) {
    return `ended with ${code}: ${said}`;
  }
  return PLACE.test(said) ? undefined : `the message has no location: ${said}`;
}

export const hostileImport: Row = {
  name: "hostile-import",
  what: "hostile imports: gzip bomb, 1 GiB row, bad UTF-8, ragged, NaN, deep JSON, duplicate ids, 600,000 rows",
  unit: "rows, and rows of as many bytes as make 1 GiB of 600,000",
  bar: "rejected with a line number, memory <= 256 MB, old catalog live",
  n: FULL,
  shortN: 2_000,
  run: async ({ n, progress, problems }) => {
    const databasePath = tempDatabase();
    await adminDone(databasePath, "catalog", "import", nativeFile(nativeRows(3)), "--format", "native");
    const service = await startService({ databasePath, settings: { LOG_LEVEL: "warn" } });
    const tagOf = async (): Promise<unknown> => (await fetchFrom(service, "/api/v1/offers")).headers.etag;
    const tag = await tagOf();
    const before = databaseHash(databasePath);
    // The readers' own tests cover each file; a short run sends every third through the command.
    const files = hostileFiles(n, Math.max(17, Math.round((1_024 * n) / FULL))).filter(
      (_, place) => n >= FULL || place % 3 === 0,
    );
    let worst = { what: "", megabytes: 0 };
    for (const file of files) {
      const ending = await importFrom(file.isSound === true ? tempDatabase() : databasePath, file);
      progress(`${file.what}: ${Math.round(ending.peakMegabytes)} MB: ${ending.said.split("\n").at(-1)}`);
      const problem = endingProblem(file, ending);
      problems.addIf(problem && `${file.what}: ${problem}`);
      if (ending.peakMegabytes > worst.megabytes) {
        worst = { what: file.what, megabytes: ending.peakMegabytes };
      }
      if ((await tagOf()) !== tag) {
        problems.add(`${file.what}: another catalog is served`);
      }
    }
    if (databaseHash(databasePath) !== before) {
      problems.add("the stored catalog has changed");
    }
    await service.stop();
    return `${files.length} files, largest ${shown(n)} rows, ${problems.count} not as expected; at most ${Math.round(worst.megabytes)} MB (${worst.what})`;
  },
};
