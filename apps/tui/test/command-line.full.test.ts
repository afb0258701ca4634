import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { startCommand } from "@gpu-offers/testkit/running-process";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import type { Offer } from "@gpu-offers/domain";
import { sendError, sendJson, startServer } from "@gpu-offers/testkit/http-server";
import { changing, errorBody, listingPageOf } from "./fake-service.ts";
import type { PickResult } from "../src/output/result.ts";
import { offerAt } from "./offers.ts";
import { runInProcess } from "./in-process.ts";
import { PROGRAM, run } from "./program.ts";

let service: Service;
/** Ids of two different offers. */
let ids: string[];
beforeAll(async () => {
  service = await startService();
  const { stdout } = await ask("--list", "--gpu", "=h100-sxm", "--format", "json");
  const offers = JSON.parse(stdout) as Offer[];
  ids = [offers[0], offers.at(-1)].flatMap((offer) => offer?.id ?? []);
});

/** What is said of the starter catalog. */
const NOTE = "gpu-offers: sample prices of 2025-12-01, not for sale\n";

// A process for each would take most of the processor time of these tests. Those about processes, and one of each kind of
// command, run the built program.
const ask = (...args: string[]) => runInProcess(args, { GPU_OFFERS_URL: service.url });
const askProgram = (...args: string[]) => run(args, { GPU_OFFERS_URL: service.url });

describe.concurrent("--list", () => {
  test("exits silently if its reader closes the pipe", async () => {
    const child = spawn("sh", ["-c", `"${process.execPath}" "${PROGRAM}" --list --format json | head -c 10`], {
      env: { PATH: process.env["PATH"], GPU_OFFERS_URL: service.url },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
    await once(child, "close");
    expect(stderr).toBe(NOTE);
  });

  test("accepts regions with commas in their names, and several of them", async () => {
    const regionsOf = async (typed: string): Promise<Set<unknown>> => {
      const { stdout } = await ask("--list", "--format", "ndjson", "--region", typed);
      const found = stdout.trim().split("\n");
      return new Set(found.map((line) => JSON.parse(line).region));
    };
    expect(await regionsOf("Texas, US")).toEqual(new Set(["Texas, US"]));
    expect(await regionsOf("texas, us,Joplin, Missouri,norway-1")).toEqual(
      new Set(["Joplin, Missouri", "NORWAY-1", "Texas, US"]),
    );
    expect(await regionsOf("FIN-01, GRA11")).toEqual(new Set(["FIN-01", "GRA11"]));
  });

  test("also counts offers excluded by filters of the service", async () => {
    const { stderr } = await ask("--list", "--continent", "Antarctica", "--gpu", "h100-sxm");
    expect(stderr).toMatch(/Without --continent \(continent Antarctica\): \d+ offers\.\n$/);
  });
});

describe("--first", () => {
  test("picks the offer of --id, with its 30-day cost and the runway of a budget", async () => {
    const [id = "", other = ""] = ids;
    const { code, stdout } = await ask("--sample", "--id", id, "--disk", "100", "--budget", "25");
    expect(code).toBe(0);
    const { offer, estimate } = JSON.parse(stdout) as { offer: Offer; estimate: Record<string, never> };
    expect(offer.id).toBe(id);
    const hourly = Number(estimate["hourly"]);
    expect(estimate["runwaySeconds"]).toBeCloseTo((25 / hourly) * 3600, -2);
    expect(Number(estimate["per30Days"])).toBeCloseTo(hourly * 720, 0);
    expect((await ask("--sample", "--id", "nope")).code).toBe(5);
    expect(await ask("--sample", "--id", id, "--max-price", "0.01")).toEqual({
      code: 1,
      stdout: "",
      stderr: `gpu-offers: offer ${id} does not match --max-price.\n`,
    });
    const shown = await askProgram("show", other, "--format", "json");
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: other });
  });

  test.each([
    ["--max-total", (total: number) => ["--max-total", String(total)]],
    ["a budget", (total: number) => ["--budget", String(total * 10), "--hours", "10"]],
  ])("keeps the limit of %s: without a disk, it takes the smallest", async (_, limitOf) => {
    const [offer] = JSON.parse(
      (await ask("--list", "--format", "json", "--provider", "verda", "--limit", "1")).stdout,
    ) as [Offer & { estimate: { hourly: string } }];
    const limit = Number(offer.estimate.hourly);
    const choice = ["--sample", "--id", offer.id];
    const { estimate } = JSON.parse((await ask(...choice, ...limitOf(limit))).stdout) as PickResult;
    expect(Number(estimate.hourly)).toBe(limit);
    const dearer = JSON.parse((await ask(...choice)).stdout) as PickResult;
    expect(Number(dearer.estimate.hourly)).toBeGreaterThan(limit);
  });

  test("rejects a disk that is too large for the offer of --id, and states its maximum", async () => {
    const url = await changing(offerAt(0), offerAt(0));
    const { code, stdout, stderr } = await run(["--id", offerAt(0).id, "--disk", "2001", "--url", url]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(`gpu-offers: offer ${offerAt(0).id} supports disks of up to 2,000 GB, not 2,001 GB.\n`);
  });
});

describe("--first, if all matches are sold out", () => {
  test("counts the sold-out offers, and names no flag that wasn't passed", async () => {
    const { url } = await startServer((response, { url: path = "" }) => {
      const excludedBy = path.includes("availability=") ? { availability: 1 } : {};
      sendJson(response, { ...listingPageOf([]), excludedBy }, { status: 200 });
    });
    const { code, stderr } = await run(["--first", "--url", url]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "gpu-offers: no offers match. Sold-out offers: 1 offer.\n",
    });
  });
});

test("an unknown region exits with similar ones", async () => {
  const { code, stderr } = await ask("--list", "--region", "NORWAY-2");
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('--region "NORWAY-2" has no offers; did you mean norway-1?'),
  });
});

describe("--watch", () => {
  test("with --cheaper, waits for a lower price than now", async () => {
    const offers = [offerAt(2), offerAt(3)];
    const { url } = await startServer((response, { url: path = "" }) => {
      sendJson(response, listingPageOf(path.includes("max_price") ? [] : offers), { status: 200 });
    });
    const { code, stderr } = await run([
      "--watch",
      "--cheaper",
      "--first",
      "--interval",
      "1",
      "--timeout",
      "1",
      "--url",
      url,
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/the cheapest match is \$[\d.]+ per GPU-hour now\.\n[^]*no offers matched in time\.\n$/);
    expect((await ask("--cheaper")).stderr).toContain("--cheaper requires --watch.");
  });

  test("waits as long as the server asks for, however long", async () => {
    const { url, requests } = await startServer((response) => sendError(response, 503, { "retry-after": "9999999" }));
    const program = startCommand(process.execPath, [PROGRAM, "--list", "--watch", "--url", url], {});
    await vi.waitFor(() => expect(program.stderr()).toContain("Waiting"), 9_000);
    const before = requests.length;
    await wait(500);
    program.child.kill("SIGKILL");
    expect(requests).toHaveLength(before);
  });

  test("retries after errors and empty responses, and prints the first match", async () => {
    let lists = 0;
    const { url } = await startServer((response, { url: path = "" }) => {
      const isList = path.startsWith("/api/v2/listings?");
      lists += isList ? 1 : 0;
      const isFirst = isList && lists === 1;
      const list = listingPageOf(lists > 2 ? [offerAt(0)] : []);
      sendJson(response, isFirst ? errorBody("internal_error", "No.") : isList ? list : { data: [] }, {
        status: isFirst ? 500 : 200,
      });
    });
    const { code, stdout, stderr } = await run([
      "--watch",
      "--list",
      "--interval",
      "1",
      "--format",
      "ndjson",
      "--url",
      url,
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: offerAt(0).id });
    expect(stderr.split("\n")).toHaveLength(3);
  });
});

describe.concurrent("names in filters", () => {
  test("may be in several flags", async () => {
    const list = (...args: string[]) => ask("--list", "--format", "ndjson", ...args);
    expect((await list("--country", "NO", "--country", "FI")).stdout).toBe((await list("--country", "NO,FI")).stdout);
    expect((await list("--text", "h100", "--text", "eu")).stdout).toBe((await list("--text", "h100 eu")).stdout);
  });

  test("in --text are said on stderr if they are taken otherwise than written", async () => {
    const { code, stderr } = await ask("--list", "--text", "h100 in europe, under $9");
    expect(code).toBe(0);
    expect(stderr.replace(NOTE, "")).toMatch(
      /^gpu-offers: h100: .*H100.*; in europe: Europe; under \$9: below \$9 per GPU-hour\n$/,
    );
  });

  test("in --text are no slips: the reading and the unknown words are said, and the code is 1", async () => {
    const { code, stderr, stdout } = await ask("--list", "--text", "hl00 in europe");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain('Read as in europe: Europe. "hl00" is unknown; did you mean H100, H200?');
  });
});

describe("a full disk", () => {
  test("exits with 74 and one line if the result can't be written", async () => {
    const child = spawn("sh", ["-c", `"${process.execPath}" "${PROGRAM}" --list >/dev/full`], {
      env: { PATH: process.env["PATH"], GPU_OFFERS_URL: service.url, XDG_CONFIG_HOME: tempFolder() },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
    expect(await once(child, "close")).toEqual([74, null]);
    expect(stderr.replace(NOTE, "")).toMatch(/^gpu-offers: cannot write: ENOSPC.*\n$/);
    const broken = join(tempFolder(), "broken.cjs");
    writeFileSync(broken, "setTimeout(() => { throw new Error('boom'); }, 300); setTimeout(() => {}, 5000);");
    const ended = await run(["--list", "--watch", "--text", "zzz"], {
      GPU_OFFERS_URL: service.url,
      NODE_OPTIONS: `--require ${broken}`,
    });
    expect(ended).toMatchObject({ code: 70, stdout: "" });
    expect(ended.stderr).toMatch(/internal error, please report it: Error: boom at .*\n$/);
  });
});

describe("an old version of Node", () => {
  test("is reported in one line, with the required version", async () => {
    const old = join(tempFolder(), "old.cjs");
    writeFileSync(
      old,
      `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.11.0" } });`,
    );
    expect(await run(["--list"], { NODE_OPTIONS: `--require ${old}` })).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "gpu-offers: this is Node 22.11.0; Node 22.12 or newer is required. npx -y pnpm@12 pick brings its own.\n",
    });
  });
});

describe("a signal", () => {
  test("exits a script with 128 plus its number", async () => {
    const line = `"${process.execPath}" "${PROGRAM}" --watch --text zzz & sleep 1; kill -INT $!; wait $!; echo $?`;
    const child = spawn("bash", ["-m", "-c", line], {
      env: { PATH: process.env["PATH"], GPU_OFFERS_URL: service.url, XDG_CONFIG_HOME: tempFolder() },
      stdio: ["ignore", "pipe", "ignore"],
    });
    let stdout = "";
    child.stdout.on("data", (text: Buffer) => (stdout += text.toString()));
    await once(child, "close");
    expect(stdout.trim().split("\n").at(-1)).toBe("130");
  });
});

describe.concurrent("settings", () => {
  test("have their defaults for a user without a home", async () => {
    const homeless = join(tempFolder(), "homeless.cjs");
    writeFileSync(homeless, 'require("node:os").homedir = () => { throw new Error("no home"); };');
    const settings = { GPU_OFFERS_URL: service.url, NODE_OPTIONS: `--require ${homeless}` };
    const nowhere = { XDG_CONFIG_HOME: "", XDG_CACHE_HOME: "", XDG_STATE_HOME: "" };
    expect(await run(["--list", "--limit", "1"], { ...settings, ...nowhere })).toMatchObject({ code: 0, stderr: NOTE });
  });

  test("that can't be read are an error", async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "gpu-offers", "config.json"), { recursive: true });
    const { code, stderr } = await run(["--list"], { XDG_CONFIG_HOME: folder });
    expect(code).toBe(2);
    expect(stderr).toMatch(/cannot read .*config\.json: EISDIR/);
  });
});
