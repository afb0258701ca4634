import { beforeAll, describe, expect, test } from "vitest";
import { fetchFrom, type HttpResponse } from "@gpu-offers/testkit/http";
import { nativeRow } from "@gpu-offers/testkit/native-catalogs";
import { allOffers } from "@gpu-offers/testkit/offer-queries";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { storeCatalog } from "@gpu-offers/store/test/catalogs";

let service: Service;
let offerPath: string;

beforeAll(async () => {
  service = await startService();
  offerPath = `/api/v1/offers/${(await allOffers(service))[0]?.id}`;
});

const NO_CACHE = "public, no-cache";
const ONE_HOUR = "public, max-age=3600";
const resources: [string, () => string, string][] = [
  ["the list of offers", () => "/api/v1/offers", NO_CACHE],
  ["a filtered list", () => "/api/v1/offers?gpu=h100-sxm&size=1", NO_CACHE],
  ["an offer", () => offerPath, NO_CACHE],
  ["the providers", () => "/api/v1/providers", NO_CACHE],
  ["the images of a provider", () => "/api/v1/providers/aws/images", ONE_HOUR],
];

const etagOf = ({ headers }: HttpResponse): string => headers.etag ?? "";
const sentTag = (tag: string) => ({ headers: { "If-None-Match": tag } });

describe.for(resources)("%s", ([, path, cacheControl]) => {
  test("has a strong entity tag and a maximum age", async () => {
    const response = await fetchFrom(service, path());
    expect(response.status).toBe(200);
    expect(response.headers.etag).toMatch(/^"[\u0021\u0023-\u007e]+"$/);
    expect(response.headers["cache-control"]).toBe(cacheControl);
    expect(etagOf(await fetchFrom(service, path()))).toBe(etagOf(response));
  });

  test.for([
    ["its tag", (tag: string) => tag],
    ["its tag in a list", (tag: string) => `"other", ${tag},"more"`],
    ["its tag as a weak tag", (tag: string) => `W/${tag}`],
    ["its tag, weak, in a list", (tag: string) => `W/"other",W/${tag}`],
    ["a star", () => "*"],
  ] as const)("is 304 without a body for %s", async ([, header]) => {
    const full = await fetchFrom(service, path());
    for (const method of ["GET", "HEAD"]) {
      const response = await fetchFrom(service, path(), { method, ...sentTag(header(etagOf(full))) });
      expect(response.status).toBe(304);
      expect(response.body).toHaveLength(0);
      expect(response.headers["content-type"]).toBe(undefined);
      expect(response.headers.etag).toBe(full.headers.etag);
      expect(response.headers["cache-control"]).toBe(cacheControl);
      expect(response.headers["x-request-id"]).toMatch(/./);
    }
  });

  test.for([
    ["another tag", () => '"other"'],
    ["its tag without quotes", (tag: string) => tag.slice(1, -1)],
    ["its tag with a suffix", (tag: string) => `${tag}x`],
    ["a star among tags", () => '"other", *'],
    ["nothing", () => ""],
  ] as const)("is complete for %s", async ([, header]) => {
    const full = await fetchFrom(service, path());
    const response = await fetchFrom(service, path(), sentTag(header(etagOf(full))));
    expect(response.status).toBe(200);
    expect(response.text).toBe(full.text);
  });
});

describe("HEAD", () => {
  // Date and request id differ per request; Age may increase between two requests.
  const lasting = ({ headers }: HttpResponse) => ({ ...headers, date: "", "x-request-id": "", age: "" });

  test.for([
    ...resources.map(([, path]) => path),
    () => "/health/live",
    () => "/health/ready",
    () => "/openapi.json",
    () => "/docs",
    () => "/api/v1/offers?size=0",
    () => "/api/v1/offers/no-such-offer",
    () => "/api/v1/providers/no-such-provider/images",
    () => "/no/such/path",
  ])("equals GET without the body (%#)", async (path) => {
    const whole = await fetchFrom(service, path());
    const head = await fetchFrom(service, path(), { method: "HEAD" });
    expect(head.body).toHaveLength(0);
    expect(head.status).toBe(whole.status);
    expect(lasting(head)).toEqual(lasting(whole));
    expect(head.headers["content-length"]).toBe(String(whole.body.length));
  });
});

describe("caches", () => {
  test.for([
    ["/health/live", 200],
    ["/health/ready", 200],
    ["/api/v1/offers?size=0", 400],
    ["/api/v1/offers/no-such-offer", 404],
    ["/no/such/path", 404],
  ] as const)("are not allowed to store %s", async ([path, status]) => {
    const response = await fetchFrom(service, path);
    expect(response.status).toBe(status);
    expect(response.headers["cache-control"]).toBe("no-store");
    expect(response.headers.etag).toBe(undefined);
  });

  test("see an increasing age of an image list", async () => {
    const age = async (): Promise<number> =>
      Number((await fetchFrom(service, "/api/v1/providers/aws/images")).headers.age ?? Number.NaN);
    const before = await age();
    expect(before).toBeGreaterThanOrEqual(0);
    await expect.poll(age, { timeout: 5_000, interval: 100 }).toBeGreaterThan(before);
    expect(await age()).toBeLessThan(3_600);
  });
});

test("HEAD with a matching tag gets the same 304 as GET, without the length of an empty body", async () => {
  const tag = etagOf(await fetchFrom(service, "/api/v1/offers"));
  const [get, head] = await Promise.all(
    ["GET", "HEAD"].map((method) => fetchFrom(service, "/api/v1/offers", { method, ...sentTag(tag) })),
  );
  for (const response of [get, head]) {
    expect(response).toMatchObject({ status: 304, text: "" });
    expect(response?.headers).toMatchObject({ etag: tag, "cache-control": "public, no-cache" });
    expect(response?.headers["content-length"]).toBeUndefined();
  }
});

describe("the entity tag", () => {
  // The last test, since it changes the catalog.
  test("stays the same if an import changes nothing, and changes if it does", async () => {
    const paths = ["/api/v1/offers", "/api/v1/providers", "/api/v1/providers/aws/images"];
    const tags = async () => Promise.all(paths.map(async (path) => etagOf(await fetchFrom(service, path))));
    const first = await tags();
    await storeCatalog(service.databasePath, [nativeRow()]);
    await expect.poll(tags, { timeout: 5_000, interval: 50 }).not.toEqual(first);
    const second = await tags();
    for (const [index, tag] of second.entries()) {
      expect(tag).not.toBe(first[index]);
      expect((await fetchFrom(service, paths[index] ?? "", sentTag(first[index] ?? ""))).status).toBe(200);
    }
    expect(await storeCatalog(service.databasePath, [nativeRow()])).toBe(false);
    expect(await tags()).toEqual(second);
  });
});
