import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { findRealFile } from "@gpu-offers/testkit/real-file";
import { startReplay, type Replay, type SeenRequest } from "@gpu-offers/testkit/replay-server";
import { freePort } from "@gpu-offers/testkit/free-port";
import { tempFolder } from "@gpu-offers/testkit/temp-folder";
import { UNKNOWN_LISTING_FACTS } from "@gpu-offers/domain";
import { describe, expect, test } from "vitest";
import { checkChanging, openSource } from "../src/cli/source-choice.ts";
import type { Settings } from "../src/cli/settings.ts";
import { localSource } from "../src/catalog/loaded-source.ts";
import { priceNote } from "../src/catalog/source-notes.ts";
import { EXIT } from "../src/exit-codes.ts";
import { DrivenPicker, NOW_MS } from "./driven-picker.ts";
import { runInProcess } from "./in-process.ts";
import { offersOf } from "./offers.ts";
import { HAS_TMUX, IN_TMUX, openShell } from "./picker-shell.ts";
import { run } from "./program.ts";
import { VirtualScreen } from "./virtual-screen.tsx";

/** A response of Verda, whose price list needs no key: two types of H200 at this price per GPU. */
const priceList = (usd: number): Replay => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(
    [1, 2].map((count) => ({
      instance_type: `${count}H200.141S.${count * 44}V`,
      name: "H200 SXM5 141GB",
      model: "H200",
      gpu: { number_of_gpus: count },
      cpu: { number_of_cores: 44 * count },
      gpu_memory: { size_in_gigabytes: 141 * count },
      memory: { size_in_gigabytes: 185 * count },
      storage: { description: "dynamic" },
      price_per_hour: String(usd * count),
      currency: "usd",
    })),
  ),
});

async function startProvider(usd: number) {
  const server = await startReplay(() => priceList(usd));
  const cache = tempFolder();
  const settings = {
    GPU_OFFERS_SOURCES: "verda",
    GPU_OFFERS_SOURCES_BASE: server.url,
    XDG_CACHE_HOME: cache,
  };
  return { server, settings, folder: join(cache, "gpu-offers", "live") };
}

const rowsOf = (stdout: string) =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { gpuCount: number; priceHourly: number; provider: { name: string } });

describe("--live", () => {
  test("lists what providers sell now, and keeps it for the source's interval", async () => {
    const { server, settings, folder } = await startProvider(2.6);
    const list = ["--live", "--list", "--format", "ndjson"];
    const first = await run(list, settings);
    expect(first).toMatchObject({ code: 0, stderr: "gpu-offers: verda: 2 offers\n" });
    expect(rowsOf(first.stdout).map(({ provider, priceHourly }) => [provider.name, priceHourly])).toEqual([
      ["verda", 2.6],
      ["verda", 5.2],
    ]);
    expect(readdirSync(folder)).toEqual(["verda.json"]);
    const again = await run([...list, "2x"], settings);
    expect(again.stderr).toBe("gpu-offers: verda: 2 offers, fetched before\n");
    expect(rowsOf(again.stdout)).toMatchObject([{ gpuCount: 2 }]);
    // One for the machines, one for their disks.
    expect(server.requests).toHaveLength(2);
  });

  test("launch --check reads the provider again, and says what changed", async () => {
    const { server, settings } = await startProvider(2.6);
    const listed = rowsOf(
      (await runInProcess(["--live", "--list", "--format", "ndjson"], settings)).stdout,
    ) as unknown as {
      id: string;
    }[];
    const launch = ["launch", listed[0]?.id ?? "", "--disk", "100", "--as", "cli", "--check"];
    const same = await runInProcess(launch, settings);
    expect(same.stderr).toContain("gpu-offers: the price and the stock are unchanged.\n");
    server.respond(() => priceList(2.8));
    const dearer = await runInProcess(launch, settings);
    expect(dearer.stderr).toContain(
      "gpu-offers: the price has changed from 2.6274 USD an hour to 2.8274 USD an hour.\n",
    );
    expect(dearer).toMatchObject({ code: EXIT.ok, stdout: expect.stringContaining("1H200.141S.44V") as string });
    server.respond(() => ({
      ...priceList(2.8),
      body: (priceList(2.8) as { body: string }).body.replace("1H200.141S.44V", "1H200.141S.45V"),
    }));
    expect(await runInProcess(launch, settings)).toMatchObject({ code: EXIT.changed, stdout: "" });
    server.respond(() => ({ status: 400 }));
    expect(await runInProcess(["launch", listed[1]?.id ?? "", "--disk", "100", "--check"], settings)).toMatchObject({
      code: EXIT.server,
      stdout: "",
    });
  });

  test("keeps earlier prices if the new ones are implausible, and says so", async () => {
    const { server, settings, folder } = await startProvider(2.6);
    const list = ["--live", "--list", "--format", "ndjson"];
    await runInProcess(list, settings);
    const path = join(folder, "verda.json");
    const kept = JSON.parse(readFileSync(path, "utf8")) as object;
    writeFileSync(path, JSON.stringify({ ...kept, fetchedAtMs: Date.parse("2026-01-01") }));
    server.respond(() => priceList(260));
    const { code, stderr } = await runInProcess(list, settings);
    expect(code).toBe(7);
    expect(stderr).toMatch(/^gpu-offers: verda: failed, implausible prices: .+\n/);
    const source = localSource({ folder, environment: {}, userAgent: "test" });
    const { offers } = await source.find({});
    expect(offers.map(({ priceHourly }) => priceHourly)).toEqual([2.6, 5.2]);
    expect(await priceNote(source, offers, false)).toMatch(/^prices .+ old, fetched before\. --live fetches/);
  });

  test("ignores what another version kept", async () => {
    const { server, settings, folder } = await startProvider(2.6);
    const list = ["--live", "--list", "--format", "ndjson"];
    await runInProcess(list, settings);
    writeFileSync(join(folder, "verda.json"), '{"version":"0.0.0"}');
    expect((await runInProcess(list, settings)).stderr).toBe("gpu-offers: verda: 2 offers\n");
    expect(server.requests).toHaveLength(4);
  });

  test.each([["--list"], ["--first"], ["gpus"]])(
    "%s fails with the reasons if nothing could be fetched",
    async (word) => {
      const { server, settings } = await startProvider(2.6);
      server.respond(() => ({ status: 403, body: "no" }));
      const { code, stdout, stderr } = await runInProcess([word, "--live"], settings);
      expect({ code, stdout }).toEqual({ code: 7, stdout: "" });
      expect(stderr).toMatch(/^gpu-offers: verda: failed, .+\ngpu-offers: no current prices could be fetched\. .+\n/);
    },
  );

  test("--watch fails if nothing could be fetched, and fetches again what it waits for", async () => {
    const { server, settings, folder } = await startProvider(2.6);
    const watch = ["--live", "--watch", "--interval", "1", "--list", "--format", "ndjson", "--max-price", "2"];
    server.respond(() => ({ status: 403, body: "no" }));
    const rejected = await runInProcess(watch, settings);
    expect(rejected).toMatchObject({ code: 7, stdout: "" });
    server.respond(() => priceList(2.6));
    const watching = runInProcess(watch, settings);
    const path = join(folder, "verda.json");
    await expect.poll(() => existsSync(path)).toBe(true);
    server.respond(() => priceList(1.9));
    const kept = JSON.parse(readFileSync(path, "utf8")) as object;
    writeFileSync(path, JSON.stringify({ ...kept, fetchedAtMs: 0 }));
    const { code, stdout } = await watching;
    expect(code).toBe(0);
    expect(rowsOf(stdout).map(({ priceHourly }) => priceHourly)).toEqual([1.9, 3.8]);
  });

  test("cannot be combined with a server or a file", async () => {
    expect((await runInProcess(["--live", "--url", "http://127.0.0.1:1", "--list"])).code).toBe(2);
    expect((await runInProcess(["--live", "--catalog", "x.csv", "--list"])).code).toBe(2);
  });
});

describe("without an address", () => {
  const open = (settings: Pick<Settings, "url" | "isDefaultUrl">) => openSource({}, settings, { environment: {} });

  test("local prices are used if no service is at the default one, or another program is", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    expect(await open({ url, isDefaultUrl: true })).toMatchObject({ place: "local prices" });
    const other = await startReplay(() => ({ status: 500, body: "<html>another program</html>" }));
    expect(await open({ url: other.url, isDefaultUrl: true })).toMatchObject({ place: "local prices" });
    expect(await open({ url, isDefaultUrl: false })).toMatchObject({ place: url });
  });

  test("watching is rejected, because nothing changes the prices, and because they are a sample", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const source = await open({ url, isDefaultUrl: true });
    await expect(checkChanging(source, {}, { url })).rejects.toMatchObject({ exitCode: EXIT.sample });
    const rejected = checkChanging(source, { sample: true }, { url });
    await expect(rejected).rejects.toMatchObject({
      exitCode: EXIT.server,
      message: expect.stringContaining(`no service is at ${url}. Start it`) as string,
    });
  });

  test("a service there is used", async () => {
    const service = await startReplay(() => ({
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ data: [] }),
    }));
    expect(await open({ url: service.url, isDefaultUrl: true })).toMatchObject({ place: service.url });
  });
});

describe("the picker without a server", () => {
  const live = { progress: undefined, failed: [] };
  const listing = { ...UNKNOWN_LISTING_FACTS, sample: true };
  const samples = offersOf(3).map((offer) => Object.assign(offer, { listing }));

  test("says what its prices are, and shows the sources that are being fetched", async () => {
    const picker = new DrivenPicker(samples);
    picker.state = { ...picker.state, live };
    const screen = new VirtualScreen(80, 24);
    await screen.show(picker.state);
    expect(screen.rows()[0]).toContain("sample prices, not for sale");
    picker.press("L").send({
      kind: "live",
      progress: { source: "vast", kind: "fetching" },
      nowMs: NOW_MS,
    });
    await screen.show(picker.state);
    expect(screen.rows()[0]).toContain("fetching vast");
    await screen.show({ ...picker.state, view: { ...picker.state.view, rows: [], offers: [] } });
    expect(screen.rows().join("\n")).toContain("no matches yet, fetching vast");
    expect(screen.rows().join("\n")).not.toContain("0 offers");
    const failed = { source: "vast", kind: "failed", reason: "no response" } as const;
    picker.send({ kind: "live", progress: failed, nowMs: NOW_MS });
    picker.send({ kind: "live", progress: undefined, nowMs: NOW_MS });
    expect(picker.state.notice).toContain("failed: vast (no response)");
    screen.close();
  });

  test("with a server, L says why it does nothing", () => {
    expect(new DrivenPicker(offersOf(3)).press("L").state.notice).toContain("L works without a server");
  });
});

/** Recorded responses by a part of the path that they were requested at. */
const RECORDED = [
  ["graphql", "live/runpod/graphql-gputypes-2026-07-18.json"],
  ["instance-types", "live/verda/instance-types-excerpt-2026.json"],
] as const;

const recordings = RECORDED.flatMap(([part, file]) => {
  const path = findRealFile(file);
  return path === undefined ? [] : [{ part, path }];
});

async function replayRecording({ target }: SeenRequest): Promise<Replay> {
  const found = recordings.find(({ part }) => target.includes(part));
  // Long enough to see its name on the screen.
  await wait(500);
  return found === undefined
    ? { status: 404, body: "not recorded" }
    : { headers: { "content-type": "application/json" }, body: readFileSync(found.path) };
}

const hasRecordings = recordings.length === RECORDED.length;

test.skipIf(!HAS_TMUX || !hasRecordings)(
  `gpu-offers --live 1xh100 lists recorded responses ${IN_TMUX}${hasRecordings ? "" : " (SKIPPED: no recordings here)"}`,
  async () => {
    const server = await startReplay(replayRecording);
    const { shell, start } = openShell({
      GPU_OFFERS_SOURCES: "runpod,verda",
      GPU_OFFERS_SOURCES_BASE: server.url,
      XDG_CACHE_HOME: tempFolder(),
    });
    start("--live 1xh100");
    expect(await shell.sees(/fetching (?:runpod|verda)/)).toContain(" / 1xh100");
    const listed = await shell.sees(
      /^(?!.*fetching).* of [\d,]+ offers .*prices under 1 min old[^]*1× H100 SXM 80G +runpod/m,
    );
    expect(listed).not.toContain("sample prices");
    shell.press("C-c");
    await shell.sees(/ended 130[^]*done/);
    expect(server.requests.length).toBeGreaterThanOrEqual(2);
  },
);
