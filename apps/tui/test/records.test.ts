import { fileURLToPath } from "node:url";
import { sendJson } from "@gpu-offers/testkit/http-server";
import { nativeDocument, nativeFile, nativeRow, tempFile } from "@gpu-offers/testkit/native-catalogs";
import { describe, expect, test } from "vitest";
import type { PickResult } from "../src/output/result.ts";
import { customResponse, errorBody, startFake } from "./fake-service.ts";
import { runInProcess } from "./in-process.ts";
import { run } from "./program.ts";

// What scripts get of an offer beyond the API's fields.

const STARTER = fileURLToPath(new URL("../../api/catalog/starter.json", import.meta.url));

describe("records of offers", () => {
  test("have what the source states and an estimate, from lists and show alike", async () => {
    const args = ["--disk", "500GB", "--catalog", STARTER];
    const [row] = JSON.parse((await run(["list", "h100", "-o", "json", "--limit", "1", ...args])).stdout) as [
      { id: string; listing: object; estimate: { hourly: string; pricesAsOf: string } },
    ];
    expect(row.estimate).toMatchObject({ currency: "USD", pricesAsOf: "2025-12-01" });
    expect(Object.keys(row.listing)).toContain("instanceType");
    expect(JSON.parse((await run(["show", row.id, "-o", "json", ...args])).stdout)).toEqual(row);
  });

  test("have only the requested fields", async () => {
    const args = [
      "list",
      "h100",
      "--limit",
      "2",
      "--catalog",
      STARTER,
      "--fields",
      "gpu.slug,estimate.hourly,listing.spot.kind",
    ];
    const rows = (await runInProcess([...args, "-o", "ndjson"])).stdout.trim().split("\n");
    expect(rows.map((row) => Object.keys(JSON.parse(row) as object))).toEqual(
      [1, 2].map(() => ["gpu.slug", "estimate.hourly", "listing.spot.kind"]),
    );
    expect((await runInProcess([...args, "-o", "csv"])).stdout).toMatch(
      /^gpu\.slug,estimate\.hourly,listing\.spot\.kind\r\nh100/,
    );
    expect((await runInProcess(args)).code).toBe(2);
  });

  test.each([
    ["id,priceHourli", "ndjson", '"priceHourli" is unknown; did you mean priceHourly?'],
    ["slug", "json", '"slug" is unknown; did you mean provider.slug or gpu.slug?'],
    ["fooo", "json", '"fooo" is unknown; use id, provider, gpu, gpuCount,'],
    ["price_is_minimum", "json", '"price_is_minimum" is unknown;'],
    ["price_is_minimum,estimate", "csv", undefined],
  ])("have known fields: %s in %s", async (fields, format, problem) => {
    const args = ["list", "h100", "--limit", "1", "--catalog", STARTER, "--fields", fields, "-o", format];
    const { code, stderr } = await runInProcess(args);
    expect(code).toBe(problem === undefined ? 0 : 2);
    expect(stderr).toContain(problem === undefined ? "" : `gpu-offers: --fields ${problem}`);
  });

  test("every row has them, and no other", async () => {
    const args = ["list", "--disk", "50", "--budget", "9", "-o", "csv", "--catalog", STARTER];
    const [header = ""] = (await runInProcess(args)).stdout.split("\r\n", 1);
    expect((await runInProcess([...args, "--fields", header])).code).toBe(0);
  });

  test("are found by the beginning of their id, if it is unique", async () => {
    const listed = (
      await runInProcess(["list", "-o", "ndjson", "--fields", "id", "--limit", "1", "--catalog", STARTER])
    ).stdout;
    const { id } = JSON.parse(listed) as { id: string };
    const show = (start: string) => runInProcess(["show", start, "-o", "json", "--catalog", STARTER]);
    expect(JSON.parse((await show(id.slice(0, 8))).stdout)).toMatchObject({ id });
    expect((await show(id.slice(0, 7))).code).toBe(5);
    // Two ids that begin alike.
    const file = nativeFile(["m-27503", "m-113302"].map((instanceType) => nativeRow({ instanceType })));
    const { code, stderr } = await runInProcess(["launch", "26e680d2", "--catalog", file]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/the id 26e680d2 is the start of 2 ids: \S+, \S+; write more/),
    ]);
    const details = [{ in: "path", name: "id", reason: "is the start of 2 ids" }];
    const body = { ...errorBody("invalid_parameter", "id is the start of 2 ids."), details };
    const intercept = customResponse((response) => sendJson(response, body, { status: 400 }));
    const { url } = await startFake({ intercept });
    const ofServer = await runInProcess(["launch", "26e680d2", "--url", url]);
    expect([ofServer.code, ofServer.stderr]).toEqual([2, "gpu-offers: the id is the start of 2 ids.\n"]);
  });
});

describe("launch", () => {
  const file = (listing: object) =>
    tempFile(
      "catalog.json",
      nativeDocument([{ ...nativeRow({ provider: "aws", region: "us-east-1", countryCode: "US" }), listing }]),
    );
  const idIn = async (path: string) =>
    (
      JSON.parse((await runInProcess(["list", "-o", "ndjson", "--verified", "any", "--catalog", path])).stdout) as {
        id: string;
      }
    ).id;

  test("prints what rents an offer whose type is known, and says what is missing otherwise", async () => {
    const known = file({ instanceType: "p5.4xlarge", seller: "cloud" });
    const { code, stdout } = await runInProcess(["launch", await idIn(known), "--catalog", known]);
    expect({ code, hasType: stdout.includes("p5.4xlarge") }).toEqual({ code: 0, hasType: true });
    const only = await runInProcess(["launch", await idIn(known), "--as", "sky", "--catalog", known]);
    expect(only.stdout).toMatch(/^# SkyPilot/);
    expect(only.stdout).not.toContain("dstack");
    const shown = await runInProcess(["show", await idIn(known), "--catalog", known]);
    expect(shown.stdout).toMatch(/^type +p5\.4xlarge\nseller +cloud$/m);
    expect(only.stderr).toContain("The disk has 100 GB, the default.");
    const limited = [
      "launch",
      await idIn(known),
      "--ceiling",
      "20",
      "--nodes",
      "2",
      "--as",
      "dstack",
      "--catalog",
      known,
    ];
    expect((await runInProcess(limited)).stdout).toMatch(/^nodes: 2$[^]*^max_price: /m);
    const tooLarge = await runInProcess(["launch", await idIn(known), "--disk", "5TB", "--catalog", known]);
    expect(tooLarge).toMatchObject({ code: 2, stdout: "" });
    expect(tooLarge.stderr).toContain("supports disks of up to 2,000 GB, not 5,000 GB");
    const unknown = file({ seller: "cloud" });
    const missing = await runInProcess(["launch", await idIn(unknown), "--catalog", unknown]);
    expect(missing).toMatchObject({ code: 1, stdout: "" });
    expect(missing.stderr).toContain("What SkyPilot calls this machine isn't known.");
  });

  test("hosts that aren't verified are left out of lists and counted, unless requested", async () => {
    const unverified = file({ verified: false, seller: "host" });
    const hidden = await runInProcess(["list", "--catalog", unverified]);
    expect(hidden.code).toBe(1);
    expect(hidden.stderr).toContain("1 offer of unverified hosts left out. --verified any includes them.");
    expect((await runInProcess(["list", "--verified", "any", "--catalog", unverified])).code).toBe(0);
  });

  test("spot prices are the prices of a list that requests them", async () => {
    const spot = file({ spot: { priceHourly: 0.5, kind: "price" } });
    const row = JSON.parse(
      (await runInProcess(["list", "--spot", "true", "-o", "ndjson", "--catalog", spot])).stdout,
    ) as object;
    expect(row).toMatchObject({ priceHourly: 0.5 });
    const none = file({});
    expect((await runInProcess(["list", "--spot", "true", "--catalog", none])).code).toBe(1);
  });

  test("a choice at its spot price is rented at spot terms, whether a flag or a word asked for it", async () => {
    const spot = file({ instanceType: "p5.4xlarge", spot: { priceHourly: 0.5, kind: "price" } });
    for (const asked of [["--spot", "true"], ["spot"]]) {
      const result = JSON.parse((await runInProcess(["--first", ...asked, "--catalog", spot])).stdout) as PickResult;
      expect(result.estimate).toMatchObject({ hourly: "0.5100", spot: "price" });
      const texts = result.launch.map(({ text }) => text);
      expect(texts.find((text) => text.includes("infra:"))).toContain("use_spot: true");
      expect(texts.find((text) => text.includes("aws ec2"))).toContain("spot");
    }
    const onDemand = JSON.parse((await runInProcess(["--first", "--catalog", spot])).stdout) as PickResult;
    expect(onDemand.estimate).not.toHaveProperty("spot");
    expect(onDemand.launch.map(({ text }) => text).join("")).toContain("use_spot: false");
  });
});
