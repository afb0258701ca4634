import { describe, expect, test } from "vitest";
import { ArgumentError, createClient, type Fetch } from "../src/index.ts";

/** A fetch that records requests, and responds with an empty list of providers. */
function recorder(): { sent: [url: string, key: string | null][]; fetch: Fetch } {
  const sent: [string, string | null][] = [];
  return {
    sent,
    fetch: (input, init) => {
      const { url, headers } = new Request(input, init);
      sent.push([url, headers.get("authorization")]);
      return Promise.resolve(Response.json({ data: [] }));
    },
  };
}

describe("an extended client", () => {
  test("has the new defaults and keeps the others; the original client is unchanged", async () => {
    const { sent, fetch } = recorder();
    const first = createClient({ baseUrl: "http://a.example", fetch });
    const second = first.extend({ apiKey: "gpo_second" });
    await second.extend({ retries: 0 }).listProviders();
    await first.listProviders();
    expect(sent.map(([url]) => new URL(url).host)).toEqual(["a.example", "a.example"]);
    expect(sent[0]?.[1]).toContain("gpo_second");
    expect(sent[1]?.[1]).toBeNull();
  });

  test("sends its key to no other server, unless given together with the address", async () => {
    const { sent, fetch } = recorder();
    const first = createClient({ baseUrl: "http://a.example", apiKey: "gpo_first", fetch });
    await first.extend({ baseUrl: "http://b.example" }).listProviders();
    await first.extend({ baseUrl: "http://b.example", apiKey: "gpo_b" }).listProviders();
    expect(sent.map(([, key]) => key)).toEqual([null, expect.stringContaining("gpo_b")]);
  });

  test("rejects invalid options", () => {
    expect(() => createClient({ baseUrl: "http://a.example" }).extend({ retries: -1 })).toThrow(ArgumentError);
  });
});
