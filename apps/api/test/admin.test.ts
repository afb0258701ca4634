import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { publishedOfferSchema } from "@gpu-offers/domain";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { admin, adminDone, startAdmin } from "./admin.ts";
import { open } from "./databases.ts";
import { contentOf } from "./database-content.ts";
import { nativeDocument, nativeFile, nativeImage, nativeRow, nativeRows, tempFile } from "./native-catalogs.ts";
import { tempDatabase, tempFolder } from "./temp-folder.ts";

/** A file of Linux that opens, and whose first bytes cannot be read. */
const UNREADABLE = "/proc/self/mem";

const reportSchema = z.strictObject({
  outcome: z.enum(["imported", "unchanged", "dry-run", "refused"]),
  problem: z.string().optional(),
  revision: z.int().optional(),
  providers: z.array(z.string()),
  rows: z.strictObject({ offers: z.int(), refused: z.int(), skipped: z.int() }),
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  unchanged: z.int(),
  refusals: z.array(
    z.strictObject({
      code: z.string(),
      count: z.int(),
      first: z.array(z.strictObject({ where: z.string(), reason: z.string() })),
    }),
  ),
});

const statusSchema = z.object({
  current: z.object({ revision: z.int(), mark: z.string(), createdAt: z.iso.datetime() }).nullable(),
  providers: z.array(
    z.object({ name: z.string(), type: z.string(), offers: z.int(), available: z.int(), images: z.int() }),
  ),
  revisions: z.array(z.object({ revision: z.int(), cause: z.string() })),
});

const statusOf = async (databasePath: string) =>
  statusSchema.parse(JSON.parse((await adminDone(databasePath, "catalog", "status", "--json")).stdout));

/** Imports and gives the report, whatever the outcome. */
async function importOf(databasePath: string, file: string, ...options: string[]) {
  const { stdout, stderr } = await admin(databasePath, "catalog", "import", file, ...options, "--json");
  if (stdout === "") {
    throw new Error(`The import printed no report: ${stderr}`);
  }
  return reportSchema.parse(JSON.parse(stdout));
}

const importNative = (databasePath: string, file: string, ...options: string[]) =>
  importOf(databasePath, file, "--format", "native", ...options);

/** The catalog as its export, to be compared as a whole. */
const exportOf = async (databasePath: string): Promise<string> =>
  (await adminDone(databasePath, "catalog", "export")).stdout;

/** The offers in an export. */
const offersOf = (exported: string): unknown[] =>
  exported
    .split("\n")
    .filter((line) => line.startsWith('{"offer":'))
    .map((line) => z.object({ offer: z.unknown() }).parse(JSON.parse(line)).offer);

const SKYPILOT_HEADER = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region";
const skypilotFile = (...rows: string[]): string => tempFile("vms.csv", `${[SKYPILOT_HEADER, ...rows].join("\n")}\n`);
const soundRow = (type: string, price = "2.50"): string => `${type},H100-SXM,1,16,128,H100-SXM,${price},,us-east-1`;

describe.concurrent("catalog import", () => {
  test("counts what it adds, changes, removes and leaves", async () => {
    const databasePath = tempDatabase();
    const rows = nativeRows(5);
    const none = { added: 0, changed: 0, removed: 0, unchanged: 0 };
    expect(await importNative(databasePath, nativeFile(rows))).toEqual({
      outcome: "imported",
      revision: 1,
      providers: ["fjord"],
      rows: { offers: 5, refused: 0, skipped: 0 },
      ...none,
      added: 5,
      refusals: [],
    });
    expect(await importNative(databasePath, nativeFile(rows))).toMatchObject({
      outcome: "unchanged",
      ...none,
      unchanged: 5,
    });
    const next = [
      ...rows.slice(2, 4),
      nativeRow({ instanceType: "type-4", priceHourly: 9 }),
      nativeRow({ instanceType: "new" }),
    ];
    expect(await importNative(databasePath, nativeFile(next))).toMatchObject({
      outcome: "imported",
      revision: 2,
      added: 1,
      changed: 1,
      removed: 2,
      unchanged: 2,
    });
  });

  test("replaces the providers that the file names, and no others", async () => {
    const databasePath = tempDatabase();
    await importNative(databasePath, nativeFile([...nativeRows(3), ...nativeRows(2, { provider: "glacier" })]));
    expect(await importNative(databasePath, nativeFile(nativeRows(1)))).toMatchObject({ removed: 2, unchanged: 1 });
    const { providers } = await statusOf(databasePath);
    expect(providers.map(({ name, offers }) => [name, offers])).toEqual([
      ["fjord", 1],
      ["glacier", 2],
    ]);
  });

  test("takes a change of images alone for a change", async () => {
    const databasePath = tempDatabase();
    const withImage = (id: string) => nativeFile(nativeRows(1), [nativeImage(id, { isDefault: true })]);
    await importNative(databasePath, withImage("ubuntu-24"));
    expect(await importNative(databasePath, withImage("ubuntu-26"))).toMatchObject({
      outcome: "imported",
      revision: 2,
      unchanged: 1,
    });
    expect(contentOf(databasePath)["images"]).toEqual([expect.objectContaining({ id: "ubuntu-26" })]);
  });

  test("with --dry-run says what it would do, and changes nothing", async () => {
    const databasePath = tempDatabase();
    await importNative(databasePath, nativeFile(nativeRows(3)));
    const before = contentOf(databasePath);
    const report = await importNative(databasePath, nativeFile(nativeRows(2, { gpuCount: 2 })), "--dry-run");
    expect(report).toMatchObject({ outcome: "dry-run", added: 0, changed: 2, removed: 1, unchanged: 0 });
    expect(report.revision).toBe(undefined);
    expect(contentOf(databasePath)).toEqual(before);
    const { stdout } = await adminDone(
      databasePath,
      "catalog",
      "import",
      nativeFile(nativeRows(2)),
      "--format",
      "native",
      "--dry-run",
    );
    expect(stdout).toMatch(/^added 0, changed 0, removed 1, unchanged 2\nDry run: nothing was changed\.\n$/m);
  });

  test("tells people what it did and what it refused", async () => {
    const file = skypilotFile(
      soundRow("a"),
      "b,,,4,16,,0.10,,us-east-1",
      ...["c", "d", "e", "f", "g"].map((type) => `${type},NoSuchCard,1,4,16,,1.00,,us-east-1`),
    );
    const options = ["--format", "skypilot", "--provider", "aws", "--max-rejected", "5"];
    const { stdout, stderr } = await adminDone(tempDatabase(), "catalog", "import", file, ...options);
    expect(stderr).toBe("");
    const refused = "NoSuchCard is no GPU that the table of GPU models knows.";
    expect(stdout).toBe(
      [
        `${file}: 1 offers, 5 rows refused, 1 rows without a GPU`,
        "providers aws",
        "refused   5 unknown_gpu",
        `            line 4: ${refused}`,
        `            line 5: ${refused}`,
        `            line 6: ${refused}`,
        "            and 2 more",
        "added 1, changed 0, removed 0, unchanged 0",
        "The catalog is now revision 1; running services show it within 2 seconds.",
        "",
      ].join("\n"),
    );
  });

  test("reads SkyPilot files, native documents, native lines and answers of a server", async () => {
    const databasePath = tempDatabase();
    const skypilot = skypilotFile(soundRow("p5"), soundRow("p6"));
    expect(await importOf(databasePath, skypilot, "--format", "skypilot", "--provider", "aws")).toMatchObject({
      added: 2,
    });
    expect(await importNative(databasePath, nativeFile(nativeRows(3)))).toMatchObject({ added: 3 });
    const lines = await exportOf(databasePath);
    const other = tempDatabase();
    expect(await importNative(other, tempFile("catalog.ndjson", lines))).toMatchObject({ added: 5 });

    const offers = offersOf(lines);
    const page = { offers, page: 0, totalPages: 1, totalElements: 5, hasMore: false };
    const third = tempDatabase();
    expect(await importOf(third, tempFile("page.json", JSON.stringify(page)), "--format", "api")).toMatchObject({
      added: 5,
    });
    expect(await importOf(third, tempFile("list.json", JSON.stringify(offers)), "--format", "api")).toMatchObject({
      outcome: "unchanged",
    });
    const foreign = tempFile("one.json", JSON.stringify(offers.slice(0, 1)));
    const types = await importOf(
      tempDatabase(),
      foreign,
      "--format",
      "api",
      "--provider",
      "mine",
      "--type",
      "container",
    );
    expect(types).toMatchObject({ providers: ["mine"], added: 1 });
  });

  test("keeps the images and the type of a provider whose new source tells nothing of them", async () => {
    const databasePath = tempDatabase();
    const images = [nativeImage("ubuntu", { isDefault: true })];
    await importNative(databasePath, nativeFile(nativeRows(1), images));
    await importOf(databasePath, skypilotFile(soundRow("x")), "--format", "skypilot", "--provider", "fjord");
    expect((await statusOf(databasePath)).providers).toMatchObject([
      { name: "fjord", type: "vm", images: 1, offers: 1 },
    ]);
    const retyped = ["--format", "skypilot", "--provider", "fjord", "--type", "bare-metal"];
    expect(await importOf(databasePath, skypilotFile(soundRow("x")), ...retyped)).toMatchObject({
      outcome: "imported",
    });
    expect((await statusOf(databasePath)).providers).toMatchObject([{ type: "bare-metal", images: 1 }]);
  });

  test("reads standard input where the file is -", async () => {
    const databasePath = tempDatabase();
    const stdin = { all: nativeDocument(nativeRows(4)) };
    const ended = await startAdmin(databasePath, ["catalog", "import", "-", "--format", "native", "--json"], { stdin })
      .ended;
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(reportSchema.parse(JSON.parse(ended.stdout))).toMatchObject({ outcome: "imported", added: 4 });
  });

  const refusals: [limit: string, refused: number, offers: number, code: number][] = [
    ["0", 0, 4, 0],
    ["0", 1, 4, 1],
    ["2", 2, 1, 0],
    ["2", 3, 9, 1],
    ["20%", 1, 4, 0],
    ["20%", 2, 4, 1],
    ["0%", 1, 99, 1],
    ["99%", 3, 1, 0],
  ];
  test.for(refusals)(
    "with --max-rejected %s and %i refused rows beside %i offers exits %i",
    async ([limit, refused, offers, code]) => {
      const rows = [
        ...Array.from({ length: offers }, (_, index) => soundRow(`type-${index}`)),
        ...Array.from({ length: refused }, (_, index) => `bad-${index},NoSuchCard,1,4,16,,1,,us-east-1`),
      ];
      const options = ["--format", "skypilot", "--provider", "aws", "--max-rejected", limit];
      const ended = await admin(tempDatabase(), "catalog", "import", skypilotFile(...rows), ...options);
      expect([ended.code, ended.stderr]).toEqual([
        code,
        code === 0
          ? ""
          : `gpu-offers-admin: ${refused} of ${refused + offers} GPU rows were refused, more than the ${limit.replace("%", " %")} allowed (--max-rejected). Nothing was changed.\n`,
      ]);
    },
  );

  test("allows a fifth of the GPU rows to be refused, and rows without a GPU do not count", async () => {
    const bad = "bad,NoSuchCard,1,4,16,,1,,us-east-1";
    const withoutGpu = Array.from({ length: 20 }, (_, index) => `cpu-${index},,,4,16,,0.1,,us-east-1`);
    const run = async (...rows: string[]) =>
      (
        await admin(
          tempDatabase(),
          "catalog",
          "import",
          skypilotFile(...rows),
          "--format",
          "skypilot",
          "--provider",
          "aws",
        )
      ).code;
    const four = ["a", "b", "c", "d"].map((type) => soundRow(type));
    expect(await run(...four, bad)).toBe(0);
    expect(await run(...four.slice(1), bad, ...withoutGpu)).toBe(1);
  });
});

describe.concurrent("a command that cannot be carried out", () => {
  let databasePath: string;
  let before: ReturnType<typeof contentOf>;

  beforeAll(async () => {
    databasePath = tempDatabase();
    await importNative(databasePath, nativeFile(nativeRows(3)));
    before = contentOf(databasePath);
  });

  const sound = () => nativeFile(nativeRows(1));
  const imported = (file: string, ...options: string[]) => ["catalog", "import", file, ...options];
  const cases: [what: string, code: 1 | 2, args: () => string[], says: RegExp][] = [
    ["no command", 2, () => [], /^Usage: gpu-offers-admin/],
    ["half a command", 2, () => ["catalog"], /^Usage: gpu-offers-admin catalog/],
    ["an unknown command", 2, () => ["catalogue"], /^error: unknown command 'catalogue'/],
    ["an unknown command of the catalog", 2, () => ["catalog", "imprt"], /^error: unknown command 'imprt'/],
    [
      "an unknown option",
      2,
      () => imported(sound(), "--format", "native", "--force"),
      /^error: unknown option '--force'/,
    ],
    ["an argument too many", 2, () => ["catalog", "status", "all"], /^error: too many arguments/],
    [
      "an import without a file",
      2,
      () => ["catalog", "import", "--format", "native"],
      /^error: missing required argument 'file'/,
    ],
    ["an import without a format", 2, () => imported(sound()), /^error: required option '--format/],
    [
      "an unknown format",
      2,
      () => imported(sound(), "--format", "xml"),
      /'xml' is invalid\. Allowed choices are native, skypilot, api\./,
    ],
    [
      "a file that is not there",
      2,
      () => imported(join(tempFolder(), "none"), "--format", "native"),
      /^gpu-offers-admin: cannot read \S+none: ENOENT/,
    ],
    [
      "a folder for a file",
      2,
      () => imported(tempFolder(), "--format", "native"),
      /^gpu-offers-admin: cannot read \S+: it is a folder\.\n$/,
    ],
    [
      "a file that can be opened and not be read",
      1,
      () => ["catalog", "import", UNREADABLE, "--format", "native"],
      /^gpu-offers-admin: cannot read \S+: EIO\b.*\. Nothing was changed\.\n$/,
    ],
    [
      "SkyPilot without a provider",
      2,
      () => imported(sound(), "--format", "skypilot"),
      /^gpu-offers-admin: a SkyPilot file does not name its provider: add --provider NAME\.\n$/,
    ],
    [
      "a provider with a space",
      2,
      () => imported(sound(), "--format", "skypilot", "--provider", "A B"),
      /must be lower-case letters and digits/,
    ],
    [
      "a provider of 65 letters",
      2,
      () => imported(sound(), "--format", "skypilot", "--provider", "a".repeat(65)),
      /'--provider <name>' argument '.*' is invalid/,
    ],
    [
      "an unknown type",
      2,
      () => imported(sound(), "--format", "api", "--type", "boat"),
      /'boat' is invalid\. Allowed choices are vm, container, bare-metal\./,
    ],
    [
      "another currency",
      2,
      () => imported(sound(), "--format", "skypilot", "--provider", "a", "--currency", "EUR"),
      /^gpu-offers-admin: prices in EUR cannot be imported/,
    ],
    [
      "a provider beside a native file",
      2,
      () => imported(sound(), "--format", "native", "--provider", "a"),
      /^gpu-offers-admin: a native file names its providers/,
    ],
    [
      "a limit over 100 %",
      2,
      () => imported(sound(), "--format", "native", "--max-rejected", "101%"),
      /'101%' is invalid/,
    ],
    ["a negative limit", 2, () => imported(sound(), "--format", "native", "--max-rejected=-1"), /'-1' is invalid/],
    [
      "a limit that is no number",
      2,
      () => imported(sound(), "--format", "native", "--max-rejected", "1.5"),
      /'1\.5' is invalid/,
    ],
    [
      "an empty file",
      1,
      () => imported(tempFile("empty", ""), "--format", "native"),
      /: The file is empty\. Nothing was changed\.\n$/,
    ],
    [
      "an empty SkyPilot file",
      1,
      () => imported(tempFile("empty", ""), "--format", "skypilot", "--provider", "fjord"),
      /: The file is empty\. Nothing was changed\.\n$/,
    ],
    [
      "a SkyPilot file without rows",
      1,
      () => imported(skypilotFile(), "--format", "skypilot", "--provider", "fjord"),
      /The file holds no offers\./,
    ],
    [
      "a native file without offers",
      1,
      () => imported(nativeFile([]), "--format", "native"),
      /The file holds no offers\./,
    ],
    [
      "half a document",
      1,
      () => imported(tempFile("half", nativeDocument(nativeRows(9)).slice(0, -40)), "--format", "native"),
      /Nothing was changed\.\n$/,
    ],
    [
      "a native file of another version",
      1,
      () => imported(tempFile("v2", '{"format":"gpu-offers/2"}'), "--format", "native"),
      /must begin with "format": "gpu-offers\/1"/,
    ],
    [
      "bytes that are no text",
      1,
      () => imported(tempFile("binary", Buffer.from([0x7b, 0xff, 0xfe])), "--format", "native"),
      /not UTF-8/,
    ],
    [
      "a CSV with a broken quote",
      1,
      () => imported(skypilotFile('a,"b'), "--format", "skypilot", "--provider", "fjord"),
      /quote/,
    ],
    [
      "a CSV with other columns",
      1,
      () => imported(tempFile("other.csv", "a,b\n1,2\n"), "--format", "skypilot", "--provider", "fjord"),
      /Nothing was changed\.\n$/,
    ],
    [
      "a file of refusals alone",
      1,
      () =>
        imported(nativeFile(nativeRows(3, { gpu: "no-such-card" })), "--format", "native", "--max-rejected", "100%"),
      /The file holds no offers\./,
    ],
    [
      "an answer that is none",
      1,
      () => imported(tempFile("error.json", '{"code":"not_found"}'), "--format", "api"),
      /Nothing was changed\.\n$/,
    ],
    [
      "a removal without a provider",
      2,
      () => ["catalog", "remove"],
      /^error: required option '--provider <name>' not specified/,
    ],
    [
      "a removal of an unknown provider",
      1,
      () => ["catalog", "remove", "--provider", "nobody"],
      /^gpu-offers-admin: there is no provider nobody; catalog status lists them\.\n$/,
    ],
    [
      "an export into no folder",
      1,
      () => ["catalog", "export", "--output", join(tempFolder(), "none", "file")],
      /^gpu-offers-admin: cannot write /,
    ],
    [
      "an export into the place of a folder",
      1,
      () => ["catalog", "export", "--output", tempFolder()],
      /^gpu-offers-admin: cannot write /,
    ],
  ];
  test.for(cases)("for %s exits %i, says why and changes nothing", async ([, code, args, says]) => {
    const ended = await admin(databasePath, ...args());
    expect(ended.stderr).toMatch(says);
    expect(ended.stderr).not.toMatch(/\n {4}at /);
    expect(ended.code).toBe(code);
    expect(contentOf(databasePath)).toEqual(before);
  });

  test("with --json still prints its report, and says why beside it", async () => {
    const file = nativeFile(nativeRows(3, { gpu: "no-such-card" }));
    const ended = await admin(databasePath, "catalog", "import", file, "--format", "native", "--json");
    expect(ended.code).toBe(1);
    expect(reportSchema.parse(JSON.parse(ended.stdout))).toMatchObject({
      outcome: "refused",
      problem: "3 of 3 GPU rows were refused, more than the 20 % allowed (--max-rejected).",
      refusals: [
        {
          code: "unknown_gpu",
          count: 3,
          first: [{ where: "offers[0]" }, { where: "offers[1]" }, { where: "offers[2]" }],
        },
      ],
    });
  });

  test("because the settings are wrong exits 2, and because the database cannot be opened exits 1", async () => {
    const wrong = await admin("", "catalog", "status");
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^gpu-offers-admin: DATABASE_URL must be .*\n$/),
    });
    const folder = await admin(tempFolder(), "catalog", "status");
    expect(folder).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^gpu-offers-admin: cannot open the database .*\n$/),
    });
  });

  test("never empties a provider by a file that names it without offers", async () => {
    const document = JSON.parse(nativeDocument(nativeRows(1, { provider: "glacier" }))) as { providers: unknown[] };
    document.providers.push({ name: "fjord", type: "vm" });
    const ended = await admin(
      databasePath,
      "catalog",
      "import",
      tempFile("two.json", JSON.stringify(document)),
      "--format",
      "native",
    );
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("use catalog remove --provider fjord");
    expect(contentOf(databasePath)).toEqual(before);
  });
});

test.concurrent.for([["--help"], ["catalog", "--help"], ["catalog", "import", "--help"], ["help"]])(
  "%s is help, and no fault",
  async (args) => {
    const ended = await admin(tempDatabase(), ...args);
    expect(ended).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(/^Usage: gpu-offers-admin/) });
  },
);

describe.concurrent("catalog export", () => {
  const imagesOf = [
    nativeImage("b", { displayName: "Bravo", isDefault: true }),
    nativeImage("a", { displayName: "Älpha", hasCuda: true, cudaVersion: "12.4", instanceTypes: ["type-1"] }),
  ];

  test("imported again changes nothing, and in another database it makes the same catalog", async () => {
    const databasePath = tempDatabase();
    await importNative(
      databasePath,
      nativeFile([...nativeRows(30), ...nativeRows(20, { provider: "glacier", region: "zürich" })], imagesOf),
    );
    const first = await exportOf(databasePath);
    expect(await importNative(databasePath, tempFile("export.ndjson", first))).toMatchObject({
      outcome: "unchanged",
      unchanged: 50,
    });
    expect(await exportOf(databasePath)).toBe(first);

    const other = tempDatabase();
    expect(await importNative(other, tempFile("export.ndjson", first))).toMatchObject({
      outcome: "imported",
      added: 50,
    });
    expect(await exportOf(other)).toBe(first);
  });

  test("of the starter catalog imported again changes nothing", async () => {
    const databasePath = tempDatabase();
    const starter = new URL("../catalog/starter.json", import.meta.url);
    await importNative(databasePath, tempFile("starter.json", readFileSync(starter)));
    const first = await exportOf(databasePath);
    expect(await importNative(databasePath, tempFile("export.ndjson", first))).toMatchObject({ outcome: "unchanged" });
    const ids = offersOf(first).map((offer) => publishedOfferSchema.parse(offer).id);
    expect(ids.length).toBeGreaterThanOrEqual(200);
    expect(ids).toEqual([...ids].sort());
  });

  test("with --output writes the same to a file, whole or not at all", async () => {
    const databasePath = tempDatabase();
    await importNative(databasePath, nativeFile(nativeRows(5)));
    const file = join(tempFolder(), "export.ndjson");
    expect(await adminDone(databasePath, "catalog", "export", "--output", file)).toMatchObject({
      stdout: "",
      stderr: "",
    });
    expect(readFileSync(file, "utf8")).toBe(await exportOf(databasePath));
    expect(existsSync(`${file}.unfinished`)).toBe(false);
  });

  test("of nothing is refused", async () => {
    const file = join(tempFolder(), "export.ndjson");
    const path = tempDatabase();
    await open(`sqlite:${path}`);
    const ended = await admin(path, "catalog", "export", "--output", file);
    expect(ended).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "gpu-offers-admin: the catalog is empty; there is nothing to export.\n",
    });
    expect(existsSync(file)).toBe(false);
  });

  test("ends well when the reader has read enough, as head does", async () => {
    const databasePath = tempDatabase();
    await importNative(databasePath, nativeFile(nativeRows(2_000)));
    const running = startAdmin(databasePath, ["catalog", "export"]);
    await once(running.child.stdout ?? running.child, "data");
    running.child.stdout?.destroy();
    expect(await running.ended).toMatchObject({ code: 0, signal: null, stderr: "" });
  });
});

describe.concurrent("catalog status", () => {
  test("of an empty database says how to fill it", async () => {
    const databasePath = tempDatabase();
    await adminDone(databasePath, "account", "create", "--email", "ada@example.com", "--name", "Ada");
    const { stdout } = await adminDone(databasePath, "catalog", "status");
    expect(stdout).toMatch(/^The catalog is empty\. /);
    expect(await statusOf(databasePath)).toEqual({ current: null, providers: [], revisions: [] });
  });

  test("shows the providers and the last five revisions", async () => {
    const databasePath = tempDatabase();
    for (let count = 1; count <= 6; count++) {
      await importNative(databasePath, nativeFile([...nativeRows(count), nativeRow({ provider: "glacier" })]));
    }
    const lines = (await adminDone(databasePath, "catalog", "status")).stdout.split("\n");
    expect(lines[0]).toMatch(/^Revision 6 of \d{4}-\d\d-\d\dT[\d:.]+Z: 7 offers of 2 providers$/);
    expect(lines.slice(2, 5)).toEqual([
      "PROVIDER  TYPE  OFFERS  AVAILABLE  IMAGES  AS OF",
      "fjord     vm         6          6       0  2026-11-01",
      "glacier   vm         1          1       0  2026-11-01",
    ]);
    expect(lines.slice(6, 12).map((line) => line.trim().split(/ {2,}/)[0])).toEqual([
      "REVISION",
      "6",
      "5",
      "4",
      "3",
      "2",
    ]);
    const { current, providers, revisions } = await statusOf(databasePath);
    expect(current?.revision).toBe(6);
    expect(providers).toMatchObject([
      { name: "fjord", type: "vm", offers: 6, available: 6, images: 0 },
      { name: "glacier", offers: 1 },
    ]);
    expect(revisions.map(({ revision }) => revision)).toEqual([6, 5, 4, 3, 2]);
    expect(revisions[0]?.cause).toMatch(/^catalog import \S+ --format native$/);
  });
});

test("catalog remove says what it took away", async () => {
  const databasePath = tempDatabase();
  await importNative(databasePath, nativeFile([...nativeRows(3), nativeRow({ provider: "glacier" })]));
  const { stdout } = await adminDone(databasePath, "catalog", "remove", "--provider", "fjord");
  expect(stdout).toBe("Removed fjord with 3 offers. The catalog is now revision 2.\n");
  const json = await adminDone(databasePath, "catalog", "remove", "--provider", "glacier", "--json");
  expect(JSON.parse(json.stdout)).toEqual({ provider: "glacier", removed: 1, revision: 3 });
  expect((await statusOf(databasePath)).providers).toEqual([]);
});

describe("imports at the same time", () => {
  test("of different providers both arrive whole", async () => {
    const databasePath = tempDatabase();
    await importNative(databasePath, nativeFile(nativeRows(1, { provider: "glacier" })));
    const files = ["fjord", "harbor", "island"].map((provider) => nativeFile(nativeRows(800, { provider })));
    const reports = await Promise.all(files.map((file) => importNative(databasePath, file)));
    expect(reports.map(({ outcome, added }) => [outcome, added])).toEqual(files.map(() => ["imported", 800]));
    expect(new Set(reports.map(({ revision }) => revision))).toEqual(new Set([2, 3, 4]));
    const { providers } = await statusOf(databasePath);
    expect(providers.map(({ name, offers }) => [name, offers])).toEqual([
      ["fjord", 800],
      ["glacier", 1],
      ["harbor", 800],
      ["island", 800],
    ]);
  });

  test("of one provider leave one of the two, whole", async () => {
    const databasePath = tempDatabase();
    const regions = ["east", "west"];
    const reports = await Promise.all(
      regions.map((region) => importNative(databasePath, nativeFile(nativeRows(500, { region })))),
    );
    expect(reports.map(({ outcome }) => outcome)).toEqual(["imported", "imported"]);
    const bodies = z.array(z.object({ body: z.string() })).parse(contentOf(databasePath)["offers"]);
    expect(bodies).toHaveLength(500);
    expect(new Set(bodies.map(({ body }) => /"region":"(\w+)"/.exec(body)?.[1])).size).toBe(1);
  });

  test("into a database that does not exist yet both arrive", async () => {
    const databasePath = tempDatabase();
    const files = ["fjord", "harbor"].map((provider) => nativeFile(nativeRows(50, { provider })));
    const reports = await Promise.all(files.map((file) => importNative(databasePath, file)));
    expect(reports.map(({ outcome }) => outcome)).toEqual(["imported", "imported"]);
    expect((await statusOf(databasePath)).providers.map(({ offers }) => offers)).toEqual([50, 50]);
  });
});

describe("an import that is killed", () => {
  const COUNT = 6_000;
  const digestOf = (databasePath: string): string => {
    const { revisions: _, ...catalog } = contentOf(databasePath);
    return createHash("sha256").update(JSON.stringify(catalog)).digest("hex");
  };

  test("leaves the old catalog or the new one, whole", { timeout: 60_000 }, async () => {
    const files = [2, 3].map((gpuCount) => nativeFile(nativeRows(COUNT, { gpuCount })));
    const [first = "", second = ""] = files;
    const whole: string[] = [];
    let durationMs = 0;
    for (const file of files) {
      const databasePath = tempDatabase();
      const started = performance.now();
      await importNative(databasePath, file);
      durationMs = performance.now() - started;
      whole.push(digestOf(databasePath));
    }
    const databasePath = tempDatabase();
    await importNative(databasePath, first);
    let killed = 0;
    for (const share of [0.15, 0.3, 0.45, 0.6, 0.75, 0.9]) {
      const { child, ended } = startAdmin(databasePath, ["catalog", "import", second, "--format", "native"]);
      // Moments of the kill are spread over the duration of an import; no event marks them.
      await delay(durationMs * share);
      child.kill("SIGKILL");
      const { signal } = await ended;
      killed += signal === "SIGKILL" ? 1 : 0;
      expect(whole).toContain(digestOf(databasePath));
    }
    expect(killed).toBeGreaterThanOrEqual(2);
    // Nothing of the killed ones is in the way of the next.
    await importNative(databasePath, second);
    expect(digestOf(databasePath)).toBe(whole[1]);
  });

  test("while it reads leaves the old catalog", async () => {
    const databasePath = tempDatabase();
    await importNative(databasePath, nativeFile(nativeRows(3)));
    const before = contentOf(databasePath);
    const { child, ended } = startAdmin(databasePath, ["catalog", "import", "-", "--format", "native"], {
      stdin: "open",
    });
    const lines = nativeRows(4_000).map((offer) => `${JSON.stringify({ offer })}\n`);
    const header = '{"format":"gpu-offers/1","asOf":"2026-11-01"}\n{"provider":{"name":"fjord","type":"vm"}}\n';
    // A pipe holds far less than this, so most of it has been read once all is written.
    await new Promise((resolve) => {
      child.stdin?.write(header + lines.join(""), resolve);
    });
    child.kill("SIGKILL");
    expect((await ended).signal).toBe("SIGKILL");
    expect(contentOf(databasePath)).toEqual(before);
  });
});

test("a SkyPilot import keeps the type of a provider that is here, in its offers too", async () => {
  const databasePath = tempDatabase();
  const csv = tempFile(
    "vms.csv",
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Region,SpotPrice,Price\n1x_L4,L4,1,8,32,L4,US,,0.44\n",
  );
  await adminDone(
    databasePath,
    "catalog",
    "import",
    csv,
    "--format",
    "skypilot",
    "--provider",
    "pods",
    "--type",
    "container",
  );
  const again = await adminDone(databasePath, "catalog", "import", csv, "--format", "skypilot", "--provider", "pods");
  expect(again.stdout).toContain("The catalog has all of it already");
  const exported = await adminDone(databasePath, "catalog", "export");
  expect(exported.stdout).toContain('"deploymentType":"container"');
});

test("an export that was cut short is refused, and nothing is changed", async () => {
  const databasePath = tempDatabase();
  await adminDone(databasePath, "catalog", "import", nativeFile(nativeRows(30)), "--format", "native");
  const { stdout } = await adminDone(databasePath, "catalog", "export");
  const cut = tempFile("cut.ndjson", stdout.slice(0, Math.floor(stdout.length * 0.6)));
  const refused = await admin(databasePath, "catalog", "import", cut, "--format", "native", "--max-rejected", "100%");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("It was cut short or changed");
  expect((await adminDone(databasePath, "catalog", "export")).stdout).toBe(stdout);
});
