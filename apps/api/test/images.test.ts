import { IMAGE_LIST_LIFETIME_SECONDS, osImageListSchema } from "@gpu-offers/domain";
import { beforeAll, describe, expect, test } from "vitest";
import { adminDone } from "@gpu-offers/testkit/admin";
import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { nativeImage, nativeRow, tempFile } from "@gpu-offers/testkit/native-catalogs";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";

let service: Service;

const images = [
  nativeImage("c-image", { displayName: "Charlie", instanceTypes: ["h100x1", "h100x8"] }),
  nativeImage("b-image", { displayName: "Bravo", hasCuda: true, cudaVersion: "12.4" }),
  nativeImage("z-image", { displayName: "Zulu", isDefault: true }),
  nativeImage("a-image", { displayName: "Alpha", instanceTypes: ["H100X1"] }),
  nativeImage("b-other", { displayName: "Bravo", hasDocker: false }),
];

beforeAll(async () => {
  const file = tempFile(
    "catalog.json",
    JSON.stringify({
      format: "gpu-offers/1",
      asOf: "2026-11-01",
      providers: [
        { name: "fjord", type: "vm", images },
        { name: "bare.metal-1", type: "bare-metal" },
      ],
      offers: [nativeRow(), nativeRow({ provider: "bare.metal-1" })],
    }),
  );
  const databasePath = tempDatabase();
  await adminDone(databasePath, "catalog", "import", file, "--format", "native");
  service = await startService({ databasePath });
});

const idsOf = async (query: string): Promise<string[]> =>
  osImageListSchema
    .parse(jsonOf(await fetchFrom(service, `/api/v1/providers/fjord/images${query}`)))
    .data.map(({ id }) => id);

describe("the images of a provider", () => {
  test("start with the default, then are sorted by displayName and id, with the API's fields", async () => {
    const byId = (wanted: string) => {
      const { instanceTypes: _, ...image } = images.find(({ id }) => id === wanted) ?? {};
      return image;
    };
    expect(jsonOf(await fetchFrom(service, "/api/v1/providers/fjord/images"))).toEqual({
      data: ["z-image", "a-image", "b-image", "b-other", "c-image"].map(byId),
    });
  });

  test.for([
    ["h100x1", ["z-image", "b-image", "b-other", "c-image"]],
    ["h100x8", ["z-image", "b-image", "b-other", "c-image"]],
    ["H100X1", ["z-image", "a-image", "b-image", "b-other"]],
    ["no-such-type", ["z-image", "b-image", "b-other"]],
    ["h100x", ["z-image", "b-image", "b-other"]],
    ["__proto__", ["z-image", "b-image", "b-other"]],
  ] as const)(
    "for the instance type %s are those without a restriction and those that list it",
    async ([type, ids]) => {
      expect(await idsOf(`?instance_type=${encodeURIComponent(type)}`)).toEqual(ids);
    },
  );

  test("are an empty list if a provider has none", async () => {
    const response = await fetchFrom(service, "/api/v1/providers/bare.metal-1/images");
    expect(response.status).toBe(200);
    expect(response.text).toBe('{"data":[]}');
    expect((await fetchFrom(service, "/api/v1/providers/bare.metal-1/images?instance_type=h100x1")).text).toBe(
      '{"data":[]}',
    );
  });

  test("can be cached for the rest of the hour since they were read", async () => {
    const { headers } = await fetchFrom(service, "/api/v1/providers/fjord/images");
    expect(headers["cache-control"]).toBe(`public, max-age=${IMAGE_LIST_LIFETIME_SECONDS}`);
    expect(headers.age).toMatch(/^\d+$/);
    expect(Number(headers.age)).toBeLessThan(60);
  });
});

test.for([
  "no-such-provider",
  "FJORD",
  "fjord%20",
  "..%2ffjord",
  "%00",
  "__proto__",
  "constructor",
  "fj%D0%BErd",
  "a".repeat(5_000),
])("an unknown provider is 404: %s", async (name) => {
  const response = await fetchFrom(service, `/api/v1/providers/${name}/images`);
  expect(response.status).toBe(404);
  expect(jsonOf(response)).toEqual({
    code: "not_found",
    message: "Provider not found.",
    requestId: response.headers["x-request-id"],
    docUrl: "/docs/errors/not_found",
  });
});

test("the list of providers is sorted by name, with their types", async () => {
  expect(jsonOf(await fetchFrom(service, "/api/v1/providers"))).toEqual({
    data: [
      { name: "bare.metal-1", type: "bare-metal" },
      { name: "fjord", type: "vm" },
    ],
  });
});
