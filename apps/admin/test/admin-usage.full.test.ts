import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { admin } from "@gpu-offers/testkit/admin";
import { contentOf } from "@gpu-offers/store/test/database-content";
import { nativeDocument, nativeFile, nativeRows, tempFile } from "@gpu-offers/testkit/native-catalogs";
import { tempDatabase, tempFolder } from "@gpu-offers/testkit/temp-folder";
import { catalogImportJson } from "../src/import-report.ts";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";
import { skypilotFile } from "./catalog-commands.ts";

/** A Linux file that can be opened but not read. */
const UNREADABLE = "/proc/self/mem";

describe.concurrent("a command that cannot run", () => {
  let databasePath: string;
  let before: ReturnType<typeof contentOf>;

  beforeAll(async () => {
    databasePath = tempDatabase();
    await storeCatalog(databasePath, nativeRows(3));
    before = contentOf(databasePath);
  });

  const sound = () => nativeFile(nativeRows(1));
  const imported = (file: string, ...options: string[]) => ["catalog", "import", file, ...options];
  const cases: [what: string, code: 1 | 2, args: () => string[], says: RegExp][] = [
    ["no command", 2, () => [], /^Usage: gpu-offers-admin/],
    ["half a command", 2, () => ["catalog"], /^Usage: gpu-offers-admin catalog/],
    ["an unknown command", 2, () => ["catalogue"], /^gpu-offers-admin: unknown command 'catalogue'/],
    ["an unknown command of the catalog", 2, () => ["catalog", "imprt"], /^gpu-offers-admin: unknown command 'imprt'/],
    [
      "an unknown option",
      2,
      () => imported(sound(), "--format", "native", "--replace"),
      /^gpu-offers-admin: unknown option '--replace'/,
    ],
    ["too many arguments", 2, () => ["catalog", "status", "all"], /^gpu-offers-admin: too many arguments/],
    [
      "an import without a file",
      2,
      () => ["catalog", "import", "--format", "native"],
      /^gpu-offers-admin: missing required argument 'file'/,
    ],
    [
      "an unknown format",
      2,
      () => imported(sound(), "--format", "xml"),
      /'xml' is invalid\. Allowed choices are native, skypilot, api, csv\./,
    ],
    [
      "a missing file",
      2,
      () => imported(join(tempFolder(), "none"), "--format", "native"),
      /^gpu-offers-admin: cannot read \S+none: ENOENT/,
    ],
    [
      "a folder instead of a file",
      2,
      () => imported(tempFolder(), "--format", "native"),
      /^gpu-offers-admin: cannot read \S+: it is a directory\.\n$/,
    ],
    [
      "a file that can be opened but not read",
      1,
      () => ["catalog", "import", UNREADABLE, "--format", "native"],
      /^gpu-offers-admin: cannot read \S+: EIO\b.*\. Nothing was changed\.\n$/,
    ],
    [
      "SkyPilot without a provider",
      2,
      () => imported(sound(), "--format", "skypilot"),
      /^gpu-offers-admin: \S+: A SkyPilot CSV does not name its provider\. Add --provider, such as --provider aws\. For a CSV of your own, add --columns\.\n$/,
    ],
    [
      "a text that is not a catalog",
      2,
      () => imported(tempFile("README.md", "# A title\n")),
      /neither JSON nor a SkyPilot CSV.* For a CSV of your own, add --columns\.\n$/,
    ],
    [
      "a response of another API",
      1,
      () => imported(tempFile("types.json", '[{"cpu":{}}]')),
      /None of the 1 items .* enable its source: .*source list\. Nothing was changed\.\n$/,
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
      "a rate of dollars",
      2,
      () => imported(sound(), "--format", "native", "--rate", "2"),
      /^gpu-offers-admin: --rate needs --currency/,
    ],
    [
      "a provider option for a native file",
      2,
      () => imported(sound(), "--format", "native", "--provider", "a"),
      /^gpu-offers-admin: a native file names its own providers/,
    ],
    [
      "a limit over 100%",
      2,
      () => imported(sound(), "--format", "native", "--max-rejected", "101%"),
      /'101%' is invalid/,
    ],
    ["a negative limit", 2, () => imported(sound(), "--format", "native", "--max-rejected=-1"), /'-1' is invalid/],
    [
      "a limit that is not a number",
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
      /The file has no offers\./,
    ],
    [
      "a native file without offers",
      1,
      () => imported(nativeFile([]), "--format", "native"),
      /The file has no offers\./,
    ],
    [
      "half a document",
      1,
      () => imported(tempFile("half", nativeDocument(nativeRows(9)).slice(0, -40)), "--format", "native"),
      /Nothing was changed\.\n$/,
    ],
    [
      "a native file with another version",
      1,
      () => imported(tempFile("v2", '{"format":"gpu-offers/2"}'), "--format", "native"),
      /must begin with "format": "gpu-offers\/1"/,
    ],
    [
      "binary data",
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
      "a CSV with different columns",
      1,
      () => imported(tempFile("other.csv", "a,b\n1,2\n"), "--format", "skypilot", "--provider", "fjord"),
      /Nothing was changed\.\n$/,
    ],
    [
      "a file with only rejected rows",
      1,
      () =>
        imported(nativeFile(nativeRows(3, { gpu: "no-such-card" })), "--format", "native", "--max-rejected", "100%"),
      /The file has no offers\./,
    ],
    [
      "JSON that is not a response",
      1,
      () => imported(tempFile("error.json", '{"code":"not_found"}'), "--format", "api"),
      /Nothing was changed\.\n$/,
    ],
    [
      "a removal without a provider",
      2,
      () => ["catalog", "remove"],
      /^gpu-offers-admin: required option '--provider <name>' not specified/,
    ],
    [
      "a removal of an unknown provider",
      1,
      () => ["catalog", "remove", "--provider", "acme"],
      /^gpu-offers-admin: no provider acme\. List providers: gpu-offers-admin catalog status\n$/,
    ],
    [
      "an export into a missing folder",
      1,
      () => ["catalog", "export", "--output", join(tempFolder(), "none", "file")],
      /^gpu-offers-admin: cannot write /,
    ],
    [
      "an export to a folder's path",
      1,
      () => ["catalog", "export", "--output", tempFolder(), "--force"],
      /^gpu-offers-admin: cannot write /,
    ],
    [
      "an export to an existing file",
      1,
      () => ["catalog", "export", "--output", tempFile("there", "precious")],
      /^gpu-offers-admin: \S+there already exists\. Add --force to overwrite it\.\n$/,
    ],
  ];
  test.for(cases)("for %s exits with %i, explains why and changes nothing", async ([, code, args, says]) => {
    const ended = await admin(databasePath, ...args());
    expect(ended.stderr).toMatch(says);
    expect(ended.stderr).not.toMatch(/\n {4}at /);
    expect(ended.code).toBe(code);
    expect(contentOf(databasePath)).toEqual(before);
  });

  test("with --json still prints its report, including the problem", async () => {
    const file = nativeFile(nativeRows(3, { gpu: "no-such-card" }));
    const ended = await admin(databasePath, "catalog", "import", file, "--format", "native", "--json");
    expect(ended.code).toBe(1);
    expect(catalogImportJson.parse(JSON.parse(ended.stdout))).toMatchObject({
      outcome: "rejected",
      problem: "3 of 3 GPU rows were rejected, more than the 20% allowed. To allow more, use --max-rejected.",
      rejections: [
        {
          code: "unknown_gpu",
          count: 3,
          first: [{ where: "offers[0]" }, { where: "offers[1]" }, { where: "offers[2]" }],
        },
      ],
    });
  });

  test("exits with 2 for invalid settings, and with 1 if the database cannot be opened", async () => {
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

  test("never empties a provider that a file lists without offers", async () => {
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
