import { describe, expect, test } from "vitest";
import { nativeDocument, nativeRow, tempFile } from "@gpu-offers/testkit/native-catalogs";
import { sendJson } from "@gpu-offers/testkit/http-server";
import { errorBody, startFake } from "./fake-service.ts";
import { runInProcess } from "./in-process.ts";
import { offerAt } from "./offers.ts";
import { run } from "./program.ts";

// How old prices are: in every selection, as far as the source says, and never in the way of a selection.

const [offer, other] = [offerAt(0), offerAt(1)];
const PRICES_AS_OF = "2026-11-20T10:00:00.000Z";

type Sources = "listed" | "missing" | "failing" | "hung";

/** A service with two offers, whose list of sources is as the test needs it. */
async function startService(sources: Sources): Promise<string> {
  const fake = await startFake({ offers: [offer, other], images: [] });
  fake.intercept = ({ url }, response) => {
    const isOfSources = url === "/api/v2/sources";
    if (isOfSources) {
      sendSources(response, sources);
    }
    return isOfSources;
  };
  return fake.url;
}

function sendSources(response: Parameters<typeof sendJson>[0], sources: Sources): void {
  switch (sources) {
    case "listed":
      return sendJson(response, { revision: 1, sources: [source()] });
    case "missing":
      return sendJson(response, errorBody("not_found", "No such path."), { status: 404 });
    case "failing":
      return sendJson(response, errorBody("internal_error", "No."), { status: 500 });
    case "hung":
  }
}

function source(): object {
  return {
    name: "feed",
    providers: [offer.provider.name, other.provider.name],
    kind: "list",
    state: "fresh",
    stock: "listed",
    checkedAt: PRICES_AS_OF,
    pricesAsOf: PRICES_AS_OF,
    offers: 2,
    nextRunAt: null,
    error: null,
    coverage: null,
    origin: null,
  };
}

const estimateOf = (stdout: string): unknown => (JSON.parse(stdout) as { estimate: unknown }).estimate;

describe("ages of prices from a service", () => {
  test.each([[["--first"]], [["--id", offer.id]], [["--watch"]]])("are in the estimate of %j", async (args) => {
    const { code, stdout } = await runInProcess([...args, "--url", await startService("listed")]);
    expect(code).toBe(0);
    expect(estimateOf(stdout)).toMatchObject({ pricesAsOf: PRICES_AS_OF });
  });

  test("are shown and compared", async () => {
    const url = await startService("listed");
    expect((await runInProcess(["show", offer.id, "--url", url])).stdout).toMatch(
      /^prices as of +2026-11-20 10:00 UTC$/m,
    );
    const compared = await runInProcess(["compare", offer.id, other.id, "--url", url]);
    expect(compared.stdout).toContain("prices as of 2026-11-20 10:00 UTC");
  });

  test.each(["missing", "failing", "hung"] as const)("are unknown where /sources is %s", async (sources) => {
    const { code, stdout, stderr } = await run(["--first", "--url", await startService(sources)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(estimateOf(stdout)).not.toHaveProperty("pricesAsOf");
  });
});

describe("ages of prices in a catalog file", () => {
  test("are the date of the provider, else of the catalog", async () => {
    const document = JSON.parse(nativeDocument([nativeRow()])) as { asOf: string; providers: object[] };
    const ageOf = async (asOf: string | null | undefined): Promise<unknown> => {
      const providers = document.providers.map((provider) => ({ ...provider, asOf }));
      const file = tempFile("catalog.json", JSON.stringify({ ...document, asOf: "2026-11-01", providers }));
      return estimateOf((await runInProcess(["--first", "--catalog", file])).stdout);
    };
    expect(await ageOf("2026-10-31")).toMatchObject({ pricesAsOf: "2026-10-31" });
    expect(await ageOf(undefined)).toMatchObject({ pricesAsOf: "2026-11-01" });
    expect(await ageOf(null)).not.toHaveProperty("pricesAsOf");
  });
});
