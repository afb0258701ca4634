import { startService } from "@gpu-offers/testkit/service";
import { describe, expect, test } from "vitest";
import { run } from "./program.ts";

// What scripts get of an offer beyond the API's fields.

describe("an offer of a service", () => {
  test("has what its source states, in show and in selections", async () => {
    const service = await startService({});
    const at = { GPU_OFFERS_URL: service.url };
    const picked = JSON.parse((await run(["--first", "--sample", "h100"], at)).stdout) as {
      offer: { id: string };
      listing: { instanceType: string | null };
      launch: object[];
    };
    const shown = JSON.parse((await run(["show", picked.offer.id, "-o", "json"], at)).stdout) as {
      listing: { instanceType: string | null };
    };
    const listing = (await (await fetch(`${service.url}/api/v2/listings/${picked.offer.id}`)).json()) as {
      instanceType: string | null;
    };
    expect(shown.listing.instanceType).toBe(listing.instanceType);
    expect(picked.listing.instanceType).toBe(listing.instanceType);
    const rows = (await run(["list", "h100", "-o", "ndjson", "--fields", "id,listing.instanceType"], at)).stdout;
    expect(rows).toContain(JSON.stringify({ id: picked.offer.id, "listing.instanceType": listing.instanceType }));
    expect((await run(["list", "--seller", "host", "--verified", "any"], at)).code).toBe(1);
    await service.stop();
  });
});
