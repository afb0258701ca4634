import { expect, test } from "vitest";
import { readCatalog } from "../open-catalog.js";

const HEADER = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,Region,SpotPrice";
const CSV = `${HEADER}\np5.48xlarge,H100,8,192,2048,,55.04,us-east-1,\n`;

/** A response from an address, as `fetch` returns it. */
function responseOf(body: string, url: string, status = 200): Response {
  return Object.defineProperty(new Response(body, { status }), "url", { value: url });
}

test("a response is read, and its address names the provider", async () => {
  const { offers } = await readCatalog(responseOf(CSV, "https://example.com/v8/aws/vms.csv?raw=1"));
  expect(offers.map(({ provider, gpuCount }) => [provider.name, gpuCount])).toEqual([["aws", 8]]);
});

test("an error of a server is an error, not a catalog", async () => {
  const page = responseOf("Not found", "https://example.com/aws/vms.csv", 404);
  await expect(readCatalog(page)).rejects.toThrow("https://example.com/aws/vms.csv responded with status 404.");
});

test("a file and a stream of a browser are read", async () => {
  for (const content of [new Blob([CSV]), new Blob([CSV]).stream()]) {
    expect((await readCatalog(content, { provider: "aws" })).offers).toHaveLength(1);
  }
});

test("a stream is canceled if it isn't a catalog", async () => {
  let isCanceled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(Uint8Array.of(0x1f, 0x8b)),
    cancel: () => {
      isCanceled = true;
    },
  });
  await expect(readCatalog(stream, { provider: "aws" })).rejects.toThrow("gzip");
  expect(isCanceled).toBe(true);
});
