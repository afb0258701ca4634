import { fetchFrom, jsonOf } from "@gpu-offers/testkit/http";
import { readFileSync } from "node:fs";
import { beforeAll, expect, inject, test } from "vitest";
import * as z from "zod";

const service = inject("service");
let id: string;

beforeAll(async () => {
  const list = jsonOf(await fetchFrom(service, "/api/v2/listings?size=1"));
  id = z.object({ listings: z.tuple([z.object({ offer: z.object({ id: z.string() }) })]) }).parse(list).listings[0]
    .offer.id;
});

const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")));
const isOver = !version.startsWith("0.1.");

const paths = () => [
  "/listings?q=h100&size=2",
  `/listings/${id}`,
  `/listings/${id}/launch?hours=2`,
  "/gpus",
  "/gpus/h100-sxm",
  "/gpus/h100/prices",
  "/sources",
];

/** The successor that a response names, as a path. */
function successorOf({ headers }: Awaited<ReturnType<typeof fetchFrom>>, path: string): string | undefined {
  const link = /^<([^<>"\s]+)>; rel="successor-version"$/.exec(String(headers["link"]))?.[1];
  return link === undefined ? undefined : new URL(link, `http://service${path}`).pathname;
}

const DATE = expect.stringMatching(/^@\d{10}$/);
const GONE = { status: 404, body: expect.any(String), etag: undefined, deprecation: undefined, successor: undefined };

test("paths without a version respond like /api/v2 and name it, and are gone in 0.2.0", async () => {
  for (const path of paths()) {
    const successor = `/api/v2${path}`;
    const now = await fetchFrom(service, successor);
    expect([path, now.status, now.headers["deprecation"]]).toEqual([path, 200, undefined]);
    const old = await fetchFrom(service, path);
    const { status, headers } = old;
    const { etag, deprecation } = headers;
    expect({ status, body: old.text, etag, deprecation, successor: successorOf(old, path) }).toEqual(
      isOver
        ? GONE
        : {
            status: 200,
            body: now.text,
            etag: now.headers.etag,
            deprecation: DATE,
            successor: successor.split("?")[0],
          },
    );
  }
  // The sample has no history.
  const { status, headers } = await fetchFrom(service, `/history?offer=${id}`);
  expect([status, headers["deprecation"] === undefined]).toEqual([404, isOver]);
});

test.skipIf(isOver)("cached and unchanged responses, errors and HEAD say so, too", async () => {
  for (let time = 0; time < 3; time++) {
    const { headers } = await fetchFrom(service, "/listings?q=a100");
    expect(headers["deprecation"]).toMatch(/^@/);
    const known = await fetchFrom(service, "/listings?q=a100", { headers: { "If-None-Match": headers.etag ?? "" } });
    expect([known.status, known.headers["deprecation"]]).toEqual([304, headers["deprecation"]]);
  }
  for (const path of ["/listings?size=0", "/listings/none", "/gpus/voodoo", '/listings/<">%3c']) {
    const response = await fetchFrom(service, path);
    const { status, headers } = response;
    expect([path, status >= 400, headers["deprecation"]]).toEqual([path, true, expect.stringMatching(/^@/)]);
    expect(successorOf(response, path)).toMatch(/^\/api\/v2\//);
  }
  expect((await fetchFrom(service, "/sources", { method: "HEAD" })).headers["deprecation"]).toMatch(/^@/);
});

test.skipIf(isOver)("former names of parameters are read on former paths alone", async () => {
  const totalOf = async (path: string) =>
    z.object({ totalElements: z.int() }).parse(jsonOf(await fetchFrom(service, path))).totalElements;
  expect(await totalOf("/listings?stock=in_stock")).toBe(await totalOf("/api/v2/listings?availability=in_stock"));
  const former = await fetchFrom(service, `/listings/${id}/launch?disk_gb=500`);
  expect(former.body.equals((await fetchFrom(service, `/api/v2/listings/${id}/launch?disk=500`)).body)).toBe(true);
  for (const path of ["/api/v2/listings?stock=in_stock", `/api/v2/listings/${id}/launch?disk_gb=500`]) {
    expect((await fetchFrom(service, path)).status).toBe(400);
  }
});
