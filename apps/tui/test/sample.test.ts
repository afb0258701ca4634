import { nativeFile, nativeRow } from "@gpu-offers/testkit/native-catalogs";
import { startService } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { adminDone } from "@gpu-offers/testkit/admin";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { run } from "./program.ts";
import { runInProcess } from "./in-process.ts";

// What scripts do with sample prices: nothing, unless --sample allows it.

interface Printed {
  offer: { id: string };
  estimate: Record<string, unknown>;
  listing: Record<string, unknown>;
  launch: { text: string }[];
}

const SAMPLE = nativeRow({ provider: "sampled", priceHourly: 1, listing: { sample: true } });
const WAYS = "--live fetches current prices; --sample uses these anyway.";

const service = inject("service");
let id: string;
beforeAll(async () => {
  id = (
    JSON.parse((await ask("--list", "--gpu", "h100", "--format", "json", "--limit", "1")).stdout) as [{ id: string }]
  )[0].id;
});

const ask = (...args: string[]) => runInProcess(args, { GPU_OFFERS_URL: service.url });

describe("on the sample alone", () => {
  test.each([
    [["--first"], "all matches are sample prices of 2025-12-01, not for sale"],
    [["--watch"], "all matches are sample prices of 2025-12-01, not for sale"],
    [["--watch", "--list"], "all matches are sample prices of 2025-12-01, not for sale"],
    [["--watch", "--exec", "exit 9"], "all matches are sample prices of 2025-12-01, not for sale"],
    [["--id", "ID"], "the price of offer ID is one of the sample prices of 2025-12-01, not for sale"],
    [["launch", "ID"], "the price of offer ID is one of the sample prices of 2025-12-01, not for sale"],
  ])("%j exits with 7 and says why, and what helps", async (args, why) => {
    const named = (text: string) => text.replace("ID", id);
    const { code, stdout, stderr } = await ask(...args.map(named));
    expect({ code, stdout }).toEqual({ code: 7, stdout: "" });
    expect(stderr.split("\n")[0]).toBe(`gpu-offers: ${named(why)}. ${WAYS}`);
  });

  test("--sample prints a choice that says what it is, and was never checked", async () => {
    const { code, stdout } = await run(["--first", "--sample", "--gpu", "h100"], { GPU_OFFERS_URL: service.url });
    expect(code).toBe(0);
    const { estimate, listing, launch } = JSON.parse(stdout) as Printed;
    expect(estimate).not.toHaveProperty("checkedAt");
    expect(listing).toMatchObject({ sample: true, availability: "unknown" });
    const launched = await ask("launch", id, "--sample", "--disk", "500");
    for (const text of [...launch.map((one) => one.text), launched.stdout.split("\n").slice(1).join("\n")]) {
      expect(text).toMatch(/^# sample prices of 2025-12-01, not for sale\n/m);
    }
  });

  test.each([["fit", "70b@8"], ["gpus", "h100"], ["compare"]])(
    "%s says that its offers are of the sample",
    async (...args) => {
      const { stdout: two } = await ask("--list", "--limit", "2", "-o", "json");
      const ids = args[0] === "compare" ? (JSON.parse(two) as { id: string }[]).map((row) => row.id) : [];
      const { code, stderr } = await ask(...args, ...ids);
      expect([code, stderr]).toEqual([0, "gpu-offers: sample prices of 2025-12-01, not for sale\n"]);
    },
  );

  test("--sample without a script is an error", async () => {
    expect(await ask("--list", "--sample")).toMatchObject({ code: 2 });
  });
});

describe("where other offers match as well", () => {
  const rows = [SAMPLE, nativeRow({ priceHourly: 3 })];

  test.each(["a file", "a service"])("scripts take those of %s, and lists say how many are samples", async (kind) => {
    const databasePath = tempDatabase();
    await adminDone(databasePath, "catalog", "import", nativeFile(rows));
    const source =
      kind === "a file" ? ["--catalog", nativeFile(rows)] : ["--url", (await startService({ databasePath })).url];
    const first = await runInProcess(["--first", "--disk", "50", ...source]);
    const { estimate, listing } = JSON.parse(first.stdout) as Printed;
    expect({ estimate, listing }).toMatchObject({
      estimate: { checkedAt: expect.any(String) as string },
      listing: { sample: false },
    });
    const all = await runInProcess(["--list", ...source]);
    expect(all.stderr).toMatch(/^gpu-offers: 1 offer: sample prices of .+, not for sale$/m);
    const watched = await runInProcess(["--watch", "--timeout", "1", "--interval", "1", "--max-price", "2", ...source]);
    expect(watched).toMatchObject({ code: 1, stderr: expect.stringContaining("only sample prices match.") as string });
  });
});
