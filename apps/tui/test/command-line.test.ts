import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { keyWithCredit } from "@gpu-offers/testkit/accounts";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import type { Offer, OsImage } from "@gpu-offers/domain";
import { nativeFile, nativeRow } from "@gpu-offers/testkit/native-catalogs";
import { sendJson, startServer } from "@gpu-offers/testkit/http-server";
import { createProgram } from "../src/cli/program.ts";
import { EXIT } from "../src/exit-codes.ts";
import { changing, errorResponse, HOSTILE, hostile, listingPageOf, startFake } from "./fake-service.ts";
import { offerAt } from "./offers.ts";
import { runInProcess } from "./in-process.ts";
import { run } from "./program.ts";

const STARTER = fileURLToPath(new URL("../../api/catalog/starter.json", import.meta.url));

/** What lists of the sample say on standard error. */
const SAMPLE_LINE = "gpu-offers: sample prices of 2025-12-01, not for sale\n";

const service = inject("service");
let key: string;
/** Ids of two different offers. */
let ids: string[];
beforeAll(async () => {
  key = await keyWithCredit(service, "25.00");
  const { stdout } = await ask("--list", "--gpu", "=h100-sxm", "--format", "json");
  const offers = JSON.parse(stdout) as Offer[];
  ids = [offers[0], offers.at(-1)].flatMap((offer) => offer?.id ?? []);
});

/** Characters that would act on a terminal. */
const ACTING = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** The address of a service that responds to every request with an error. */
const failing = async (...error: Parameters<typeof errorResponse>) =>
  (await startFake({ intercept: errorResponse(...error) })).url;

// A process for each would take most of the processor time of these tests. Those about processes, and one of each kind of
// command, run the built program.
const ask = (...args: string[]) => runInProcess(args, { GPU_OFFERS_URL: service.url });
const askProgram = (...args: string[]) => run(args, { GPU_OFFERS_URL: service.url });

describe.concurrent("--list", () => {
  test("prints the same offers from a service and from its catalog file", async () => {
    const args = ["--list", "--format", "ndjson", "--continent", "Europe", "--disk", "500", "--sort", "total"];
    const served = await askProgram(...args);
    expect(served.code).toBe(0);
    expect(served.stdout.split("\n").length).toBeGreaterThan(20);
    const fromFile = await run([...args, "--catalog", STARTER]);
    // The service states the time of the prices, the file their day.
    const offersOf = (stdout: string) =>
      stdout
        .trim()
        .split("\n")
        .map((line) => Object.assign(JSON.parse(line) as object, { estimate: undefined, listing: undefined }));
    expect(offersOf(fromFile.stdout)).toEqual(offersOf(served.stdout));
  });

  test("prints the API's fields as CSV, one column per leaf, with plain numbers", async () => {
    const args = ["--list", "--gpu", "h100", "--disk", "200"];
    const offers = JSON.parse((await ask(...args, "--format", "json")).stdout) as Record<string, never>[];
    const rows: Record<string, string>[] = parse((await ask(...args, "--format", "csv")).stdout, { columns: true });
    expect(rows).toHaveLength(offers.length);
    for (const [index, row] of rows.entries()) {
      const derived = new Set(["total_hourly", "price_is_minimum"]);
      for (const [path, text] of Object.entries(row).filter(([name]) => !derived.has(name))) {
        const value = path
          .split(".")
          .reduce<unknown>((part, name) => (part as Record<string, unknown> | null)?.[name], offers[index]);
        expect(text).toBe(
          value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value),
        );
      }
      expect(row["price_is_minimum"]).toBe(String(row["costDataComplete"] === "false"));
      expect(Number(row["total_hourly"])).toBeGreaterThanOrEqual(Number(row["priceHourly"]));
    }
  });

  test("shows the runway of a budget", async () => {
    const args = ["--list", "--gpu", "h100", "--limit", "1"];
    expect((await ask(...args, "--budget", "20")).stdout).toMatch(/ RUNWAY [^]* \d+h \d\dm /);
    expect((await ask(...args)).stdout).not.toContain("RUNWAY");
    const [row] = JSON.parse((await ask(...args, "--hours", "5", "--format", "json")).stdout) as [{ estimate: object }];
    expect(row.estimate).toHaveProperty("forHours");
  });

  test("says how many offers each filter excludes if nothing matches", async () => {
    const { code, stdout, stderr } = await askProgram("--list", "--gpu", "h100-sxm", "--max-price", "0.01");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      /^gpu-offers: no offers match\. Without --max-price \(max \$0\.01\/GPU-h\): \d+ offers\.\n$/,
    );
  });

  test("accepts countries by code and by name", async () => {
    const byCode = await askProgram("--list", "--format", "csv", "--country", "no,FI");
    expect(byCode).toMatchObject({ code: 0, stderr: SAMPLE_LINE });
    expect((await ask("--list", "--format", "csv", "--country", "Norway,finland")).stdout).toBe(byCode.stdout);
  });
});

test("list is a command, with the flags of lists in its help", async () => {
  const { code, stdout } = await runInProcess(["help", "list"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Usage: gpu-offers list \[options\] \[words\.\.\.\]\n/);
  expect(stdout).toMatch(/ --max-price [^]* --fields /);
  expect(stdout).not.toMatch(/ --(?:first|id|exec|version) /);
  expect((await runInProcess(["list", "--help"])).stdout).toBe(stdout);
  expect((await runInProcess(["--help"])).stdout).toMatch(/^ {2}list \[words\.\.\.\] +List matching offers/m);
  const short = await ask("list", "8x", "h100", "--max-price", "4", "-o", "ndjson");
  expect(short).toEqual(await ask("--list", "--text", "8x h100", "--max-price", "4", "--format", "ndjson"));
});

test("a required disk of unknown price is chosen, and reported", async () => {
  const storage = { costPerGB: 0, minGB: 0, maxGB: 0 };
  const listing = { instanceType: "p5.48xlarge" };
  const row = { ...nativeRow({ provider: "aws", region: "us-east-1", storage, listing }), costDataComplete: false };
  const catalog = ["--catalog", nativeFile([row]), "--disk", "500"];
  const first = await runInProcess(["--first", ...catalog]);
  const { deployment, offer, estimate } = JSON.parse(first.stdout) as Record<string, { id?: string }>;
  expect({ deployment, estimate }).toMatchObject({
    deployment: { provider: "aws", disk_gb: 500 },
    estimate: { isAtLeast: true },
  });
  const id = offer?.id ?? "";
  const note = `gpu-offers: the price of a disk of 500 GB of offer ${id} is unknown, so its total is a minimum.\n`;
  for (const ended of [
    first,
    await runInProcess(["--id", id, ...catalog]),
    await runInProcess(["launch", id, ...catalog]),
  ]) {
    expect(ended).toMatchObject({ code: 0, stderr: note });
  }
});

describe("text from a service", () => {
  test("never contains control characters, in any list, result or error", async () => {
    const settings = { GPU_OFFERS_URL: await hostile(), GPU_OFFERS_API_KEY: "key" };
    const lists = ["table", "csv", "json"].map((format) => ["--list", "--format", format]);
    for (const args of [...lists, ["providers"], ["images", "any"], ["account"], ["account", "--format", "json"]]) {
      const { code, stdout } = await runInProcess(args, settings);
      expect(code).toBe(0);
      expect(stdout.replaceAll("\r\n", "\n")).not.toMatch(ACTING);
    }
    const first = await run(["--first"], settings);
    expect(first.stdout).not.toMatch(ACTING);
    expect(JSON.parse(first.stdout)).toMatchObject({ deployment: { provider: HOSTILE } });
    const failed = await runInProcess(["--list"], {
      GPU_OFFERS_URL: await failing(500, "internal_error", { message: HOSTILE }),
    });
    expect(failed.stderr).toMatch(/^gpu-offers: .*\n$/);
    expect(failed.stderr).not.toMatch(ACTING);
  });
});

describe("--first", () => {
  test("prints one line with a deployment, its offer and its estimate", async () => {
    const { code, stdout } = await askProgram(
      "--first",
      "--sample",
      "--gpu",
      "h100-sxm",
      "--disk",
      "500",
      "--sort",
      "total",
    );
    expect(code).toBe(0);
    expect(stdout.endsWith("}\n")).toBe(true);
    const result = JSON.parse(stdout) as Record<string, Record<string, unknown>>;
    expect(Object.keys(result)).toEqual(["deployment", "offer", "estimate", "listing", "launch"]);
    expect(result["deployment"]).toMatchObject({ disk_gb: 500 });
    expect(result["estimate"]).toMatchObject({
      currency: "USD",
      hourly: expect.stringMatching(/^\d+\.\d{4}$/) as unknown,
    });
  });

  test("picks the first offer whose provider has the image", async () => {
    const { code, stdout } = await ask("--first", "--sample", "--os", "ubuntu-22.04", "--cuda", "12");
    expect(code).toBe(0);
    const { deployment } = JSON.parse(stdout) as { deployment: { provider: string; os_image_id: string } };
    const listed = JSON.parse((await ask("images", deployment.provider, "--format", "json")).stdout) as OsImage[];
    const image = listed.find(({ id }) => id === deployment.os_image_id);
    expect(image?.displayName).toContain("22.04");
    expect(image?.cudaVersion).toMatch(/^12(?:\.|$)/);
    const byId = await ask("--first", "--sample", "--image", deployment.os_image_id);
    expect(JSON.parse(byId.stdout)).toMatchObject({ deployment: { os_image_id: deployment.os_image_id } });
  });

  test("exits with 1 if no provider has the image", async () => {
    const { code, stderr } = await ask("--list", "--image", "windows");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^gpu-offers: --image "windows" is unknown; no provider has such an image\.\n$/);
  });

  test("exits with 5 if the offer is gone or repriced", async () => {
    const gone = await run(["--first", "--url", await changing(offerAt(0), undefined)]);
    const dearer = await runInProcess(["--first", "--url", await changing(offerAt(0), offerAt(0, { priceHourly: 9 }))]);
    expect([gone.code, dearer.code]).toEqual([5, 5]);
    expect(gone.stderr + dearer.stderr).toMatch(
      /is gone\. List offers again.*\n.*the price of offer \S+ has changed since/,
    );
  });
});

test("instance types and spot prices are found by words, with a service too", async () => {
  const rowsOf = async (...args: string[]) =>
    JSON.parse((await ask("--list", "--format", "json", ...args)).stdout) as (Offer & {
      listing: { instanceType: string | null; spot: { priceHourly: number } | null };
    })[];
  const all = await rowsOf();
  const typed = all.filter(({ listing }) => listing.instanceType === "g2-gpu-rtx4000a1-s");
  expect(typed.length).toBeGreaterThan(0);
  expect((await rowsOf("--text", "g2-gpu-rtx4000a1-s")).map(({ id }) => id)).toEqual(typed.map(({ id }) => id));
  const file = join(tempFolder(), "vms.csv");
  const head = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region";
  writeFileSync(file, `${head}\nStandard_NC4as_T4_v3,T4,1,4,28,,0.526,0.06,eastus\nother,T4,1,4,28,,0.5,,eastus\n`);
  const spot = await rowsOf("--text", "t4 spot", "--catalog", file, "--provider", "azure");
  expect(spot.map(({ priceHourly }) => priceHourly)).toEqual([0.06]);
});

describe("--watch", () => {
  test("exits with 1 on timeout", async () => {
    const { url } = await startServer((response) => sendJson(response, listingPageOf([]), { status: 200 }));
    const { code, stderr } = await run(["--watch", "--interval", "1", "--timeout", "1", "--url", url]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/no offers matched in time\.\n$/);
  });

  test.concurrent("runs the command once for each new best match, with its JSON on standard input", async () => {
    const { code, stdout } = await askProgram(
      "--watch",
      "--sample",
      "--interval",
      "1",
      "--timeout",
      "2",
      "--exec",
      "cat; echo done",
    );
    expect(code).toBe(0);
    const [line = "", ...rest] = stdout.split("\n");
    expect(JSON.parse(line)).toMatchObject({ deployment: {} });
    expect(rest).toEqual(["done", ""]);
    const failed = await askProgram("--watch", "--sample", "--exec", "exit 9");
    const killed = await askProgram("--watch", "--sample", "--exec", "kill -9 $$");
    expect([failed.code, killed.code]).toEqual([6, 6]);
    expect(failed.stderr + killed.stderr).toMatch(
      /command failed with exit code 9: exit 9\n.* was killed by signal SIGKILL/,
    );
  });
});

describe.concurrent("names in filters", () => {
  test("are expanded, and the expansion is reported once", async () => {
    const slugs = ["h100", "h100-nvl", "h100-pcie", "h100-sxm"];
    const plain = await ask("--list", "--format", "ndjson", "--gpu", slugs.map((slug) => `=${slug}`).join(","));
    const named = await ask("--list", "--format", "ndjson", "--gpu", "H100");
    expect(plain.stderr).toBe(SAMPLE_LINE);
    expect(named.stderr).toBe(`gpu-offers: H100: h100, h100-nvl, h100-pcie, h100-sxm\n${SAMPLE_LINE}`);
    expect(named.stdout).toBe(plain.stdout);
    const places = await ask("--list", "--continent", "eu", "--country", "uk,NO", "--provider", "Hyperstack");
    expect(places.stderr).toBe(
      `gpu-offers: eu: Europe, the continent; --country "European Union" is the 27 members\ngpu-offers: uk: GB\n${SAMPLE_LINE}`,
    );
  });

  test.each([
    ["--gpu", "h10", '--gpu "h10" is unknown; did you mean H100, A10, '],
    ["--continent", "Atlantis", '--continent "Atlantis" is unknown; use one of Africa, '],
    ["--continent", "Norway", '--continent "Norway" is unknown; use --country Norway.'],
    ["--country", "germny", '--country "germny" is unknown; did you mean Germany?'],
    ["--provider", "hyperstck", '--provider "hyperstck" is unknown; did you mean hyperstack?'],
  ])("%s %s is unknown, with the nearest ones", async (flag, name, says) => {
    const { code, stderr, stdout } = await ask("--list", flag, name);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(says);
  });

  test("of regions have similar ones, with words too", async () => {
    const near = await ask("--list", "--region", "eu-nort1");
    expect(near.code).toBe(1);
    expect(near.stderr).toMatch(/--region "eu-nort1" has no offers; did you mean eu-north1\?/);
    const other = await ask("--list", "--region", "x-1", "h100");
    expect(other.stderr).toMatch(/no offers match\. .*Without --region \(region x-1\): \d+ offers\./);
  });

  test.each([
    ["hyperstck h100", "hyperstack h100"],
    ["gh200 hyperstack", "gh200"],
  ])("in --text lead to the nearest match if nothing matches, with a service and a file: %s", async (text, near) => {
    const args = ["--list", "--text", text, "--sort", "total"];
    const served = await ask(...args);
    expect(served.code).toBe(1);
    const [said] = /Nearest text ".*": \d+ offers?\./.exec(served.stderr) ?? [];
    expect(said).toContain(`Nearest text "${near}"`);
    expect((await runInProcess([...args, "--catalog", STARTER])).stderr).toContain(said);
  });
});

describe("compare", () => {
  test.concurrent("prints differences first, with percentages, then common facts", async () => {
    const [first = "", second = ""] = ids;
    const { code, stdout } = await askProgram("compare", first, second);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ +\d+× \S.*\d+× /);
    const csv: object[] = parse((await ask("compare", first, second, "-o", "csv")).stdout, { columns: true });
    expect(Object.keys(csv[0] ?? {})).toEqual(["fact", "unit", first, second]);
    expect(stdout).toMatch(/\n\nsame: .*\n$/);
    const facts = JSON.parse((await ask("compare", first, second, "--format", "json")).stdout) as object[];
    expect(facts).toContainEqual(expect.objectContaining({ key: "totalVramGb" }));
    expect((await ask("compare", first, first)).code).toBe(2);
    expect((await ask("compare", first, "nope")).code).toBe(5);
  });
});

describe.concurrent("subcommands", () => {
  test("print providers, images, account and balance", async () => {
    const settings = { GPU_OFFERS_URL: service.url, GPU_OFFERS_API_KEY: key };
    expect((await askProgram("providers", "--format", "csv")).stdout).toContain("\r\nhyperstack,vm\r\n");
    expect((await ask("images", "verda", "--format", "json")).stdout).toContain('"isDefault": true');
    expect((await runInProcess(["account"], settings)).stdout).toMatch(/ada-\d+@example\.com/);
    expect((await runInProcess(["balance", "--format", "ndjson"], settings)).stdout).toBe(
      '{"balance":"25.0000","currency":"USD"}\n',
    );
  });
});

describe("images", () => {
  test("of a provider without known ones are an empty list, and a notice says what is used", async () => {
    expect(await ask("images", "coreweave", "--format", "json")).toEqual({
      code: 0,
      stdout: "[]\n",
      stderr: "gpu-offers: images unknown: the provider's default is used.\n",
    });
  });

  test("accepts the names that --provider accepts, and suggests the nearest ones", async () => {
    const exact = await ask("images", "hyperstack", "--format", "json");
    expect(await ask("images", "NexGen HyperStack Cloud", "--format", "json")).toMatchObject({ code: 2 });
    expect(await ask("images", "Hyper Stack", "--format", "json")).toEqual(exact);
    expect(await ask("images", "hyperstck")).toEqual({
      code: 2,
      stdout: "",
      stderr: 'gpu-offers: --provider "hyperstck" is unknown; did you mean hyperstack?\n',
    });
  });
});

describe("errors", () => {
  const oneLine = (text: string) => text.endsWith("\n") && text.trimEnd().split("\n").length === 1;

  test.each([
    ["an invalid key", () => failing(401, "unauthorized"), 4, /GPU_OFFERS_API_KEY/],
    [
      "too many requests",
      () => failing(429, "rate_limited", { headers: { "retry-after": "60" } }),
      3,
      /Try again in 60 s/,
    ],
    ["a failing server", () => failing(500, "internal_error"), 3, /returned an error: No\. Try again later\./],
    [
      "a web page",
      async () => (await startServer((response) => response.end("<html>"))).url,
      3,
      /no gpu-offers service.*GPU_OFFERS_URL/,
    ],
    ["a wrong path", () => failing(404, "not_found"), 3, /no gpu-offers service.*GPU_OFFERS_URL.*status 404/],
    ["no server", () => Promise.resolve("http://127.0.0.1:9"), 3, /cannot reach/],
    ["an invalid URL", () => Promise.resolve("ftp://x"), 2, /http or https/],
  ])("%s is reported in one line that says what to do", async (_, start, code, says) => {
    const ended = await runInProcess(["--list", "--url", await start()]);
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toMatch(says);
    expect(oneLine(ended.stderr)).toBe(true);
  });

  test.concurrent.each([
    ["an unknown flag", ["--frist"], /unknown option '--frist'/],
    ["a limit for the picker", ["--limit", "5"], /--limit requires --list; the picker shows all matches/],
    ["no terminal", [], /needs a terminal.*--first.*--list/],
    ["no terminal for prompts", ["--accessible"], /needs a terminal.*--first.*--list/],
  ])("%s ends the program with 2 and a one-line error", async (_, args, says) => {
    const ended = await askProgram(...args);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(says);
    expect(oneLine(ended.stderr)).toBe(true);
  });

  // The processes above prove how a Failure ends one.
  test.each([
    [
      "an interval of years",
      ["--watch", "--interval", "99999999"],
      /Enter a whole number of seconds from 1 to 2073600 \(24 days\)/,
    ],
    [
      "a timeout of years",
      ["--watch", "--timeout", "99999999"],
      /Enter a whole number of seconds from 1 to 2073600 \(24 days\)/,
    ],
    ["an invalid value", ["--cuda", "twelve"], /must be a version such as 12/],
    [
      "a missing file",
      ["--list", "--catalog", "/nowhere.json"],
      /cannot read the catalog.* Pass a file to --catalog, or -/,
    ],
    ["an excess argument", ["providers", "x"], /too many arguments/],
  ])("%s exits with 2 and a one-line error", async (_, args, says) => {
    const ended = await ask(...args);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(says);
    expect(oneLine(ended.stderr)).toBe(true);
  });

  test.each([
    [
      "help for an unknown command",
      ["help", "provider"],
      /unknown command "provider"\. Did you mean providers\? Use one of list, show, compare, gpus, trend, fit, launch, providers/,
    ],
    ["a format without a list", ["--first", "--format", "csv"], /--format requires --list/],
    ["an interval without a wait", ["--first", "--interval", "5"], /--interval requires --watch/],
    ["an id for a list", ["--list", "--id", "x"], /--id and --list cannot be combined; run gpu-offers show ID/],
    ["an order of one offer", ["--id", "x", "--sort", "total"], /--id and --sort cannot be combined/],
    ["a limit of one offer", ["--first", "--limit", "3"], /--limit requires --list/],
    ["two sources at once", ["--list", "--catalog", "x.json", "--url", "http://x"], /--catalog and --url cannot/],
    ["an empty command", ["--watch", "--exec", " "], /--exec requires a command/],
    ["a command without a watch", ["--list", "--exec", "true"], /--exec and --list cannot be combined/],
    ["a mistyped list", ["lsit"], /unknown command "lsit"\. Did you mean list\?/],
    ["a mistyped command with words", ["lsit", "h100"], /unknown command "lsit"\. Did you mean list\?/],
    ["a wait as a command", ["watch", "h100"], /unknown command "watch"\. Did you mean list --watch\?/],
    ["a mistyped wait", ["wtach"], /unknown command "wtach"\. Did you mean list --watch\?/],
    ["the name of a filter", ["fits"], /unknown command "fits"\. Did you mean fit\?/],
    [
      "an unknown command",
      ["mpc"],
      /unknown command "mpc"\. Did you mean mcp\? Use one of list, show, compare, gpus, trend, fit, launch, providers/,
    ],
    ["a flag without effect on a subcommand", ["--max-price", "2", "providers"], /--max-price has no effect/],
    ["a provider without a file", ["providers", "--provider", "aws"], /--provider has no effect on providers/],
    ["an account of a file", ["account", "--catalog", "x"], /--catalog has no effect on account/],
    ["rejected rows of a URL", ["rejected", "--url", "http://x"], /--url has no effect on rejected/],
    ["a format of the tools", ["mcp", "--format", "json"], /--format has no effect on mcp/],
    ["two sources of a subcommand", ["providers", "--catalog", "x", "--url", "http://x"], /--catalog and --url cannot/],
    [
      "contradictory bounds",
      ["--list", "--min-gpus", "4", "--max-gpus", "2"],
      /--min-gpus must not be above --max-gpus/,
    ],
    ["two modes at once", ["--list", "--first"], /cannot be combined/],
    ["rejected rows of a service", ["rejected"], /Add --catalog FILE/],
  ])("%s is invalid usage, and prints nothing", async (_, args, says) => {
    const printed: string[] = [];
    const program = createProgram({
      environment: { GPU_OFFERS_URL: service.url, XDG_CONFIG_HOME: tempFolder() },
      print: (text) => printed.push(text),
      notify: (text) => printed.push(text),
      pick: () => Promise.reject(new Error("The picker was opened.")),
    });
    await expect(program.parseAsync(args, { from: "user" })).rejects.toMatchObject({
      name: "Failure",
      exitCode: EXIT.usage,
      message: expect.stringMatching(says) as unknown,
    });
    expect(printed).toEqual([]);
  });
});

describe("--help and --version", () => {
  test("show examples in 80 columns, and every exit code", async () => {
    const { code, stdout } = await run(["--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}gpu-offers --gpu h100 --first \| jq \.deployment/m);
    expect(stdout).toMatch(/^ {2}70 +internal error$/m);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    expect((await run(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await runInProcess(["help"])).stdout).toBe(stdout);
    expect((await runInProcess(["help", "images"])).stdout).toBe((await runInProcess(["images", "--help"])).stdout);
  });

  test.each([
    ["providers", ["--provider", "--url", "--catalog", "--live"]],
    ["show", ["--provider", "--budget", "--disk", "--url", "--catalog", "--live"]],
    ["mcp", ["--provider", "--url", "--catalog", "--live"]],
    ["rejected", ["--provider", "--catalog"]],
    ["account", ["--url"]],
  ])("list only the global options that affect %s", (name, flags) => {
    const host = { environment: {}, print: () => {}, notify: () => {}, pick: () => Promise.resolve() };
    const help =
      createProgram(host)
        .commands.find((command) => command.name() === name)
        ?.helpInformation() ?? "";
    const [, options = ""] = help.split("Global Options:");
    const shown = [...options.matchAll(/^ +(--[\w-]+)/gm)].map(([, flag]) => flag);
    expect(new Set(shown)).toEqual(new Set(flags));
    expect(options).not.toMatch(/ +providers$/m);
  });
});

describe.concurrent("settings", () => {
  test("are read from the file, the environment and the flags, each overriding the former", async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "gpu-offers"));
    const file = join(folder, "gpu-offers", "config.json");
    writeFileSync(file, JSON.stringify({ url: service.url, sort: "priceHourly", order: "desc" }));
    const first = await run(["--list", "--limit", "1", "--format", "ndjson"], { XDG_CONFIG_HOME: folder });
    expect(JSON.parse(first.stdout)).toMatchObject({ gpuCount: 8 });
    const dead = { XDG_CONFIG_HOME: folder, GPU_OFFERS_URL: "http://127.0.0.1:9" };
    expect((await runInProcess(["--list"], dead)).code).toBe(3);
    expect((await runInProcess(["--list", "--url", service.url], dead)).code).toBe(0);
  });

  test("that are invalid are all listed, with the file", async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "gpu-offers"));
    writeFileSync(join(folder, "gpu-offers", "config.json"), '{"apiKey":"gpo_secret"');
    const broken = await runInProcess(["--list"], { XDG_CONFIG_HOME: folder });
    expect([broken.code, broken.stderr]).toEqual([2, expect.stringMatching(/config\.json is not valid JSON\.\n$/)]);
    writeFileSync(join(folder, "gpu-offers", "config.json"), '{"disk":-1,"sort":"size","hiddenColumns":["vrm"]}');
    const { code, stderr } = await runInProcess(["--list"], { XDG_CONFIG_HOME: folder });
    expect(code).toBe(2);
    expect(stderr).toMatch(/config\.json: disk .*sort .*hiddenColumns 0 must be one of provider, .*docs\/picker\.md/);
  });
});
