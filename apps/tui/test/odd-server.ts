import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import type { Offer } from "@gpu-offers/domain";
import { imageNamed, offerAt } from "./offers.ts";

// Servers that misbehave, or change between two questions.

const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server with any behavior; gives its address. */
export async function startOdd(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that answers every question with one error of the interface. */
export function failing(
  status: number,
  code: string,
  headers: Record<string, string> = {},
  message = "No.",
): Promise<string> {
  return startOdd((_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ code, message, requestId: "1" }));
  });
}

/** A server that lists one offer, and has another one of the same id, or none, when it is asked for by id. */
export function changing(listed: Offer, now: Offer | undefined): Promise<string> {
  return startOdd((request, response) => {
    const isList = request.url?.startsWith("/api/v1/offers?") === true;
    const isImages = request.url?.endsWith("/images") === true;
    const list = { offers: [listed], page: 0, totalPages: 1, totalElements: 1, hasMore: false };
    const body = isList ? list : isImages ? { data: [] } : now;
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(body ?? { code: "not_found", message: "Offer not found.", requestId: "1" }));
  });
}

/** What a hostile service puts into every text: a bell, a title, a color, C1 controls, a turned direction, a new line. */
export const HOSTILE = "x\u0007\u001b]0;owned\u0007\u001b[31m\u009b2J\u202eabc\u2066\u2028\r\ny";

/** Characters that would act on a terminal. */
export const ACTING = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** A server whose every text is {@link HOSTILE}: offers, images, providers, the account. */
export function hostile(): Promise<string> {
  const provider = { name: HOSTILE, slug: HOSTILE };
  const offers = [0, 1].map((index) =>
    offerAt(index, {
      provider,
      gpu: { name: HOSTILE, slug: HOSTILE, vramGB: 80, architecture: HOSTILE },
      region: HOSTILE,
      regionInfo: { countryCode: HOSTILE, countryName: HOSTILE, cityState: HOSTILE, continent: HOSTILE },
      deploymentType: HOSTILE,
      interconnect: HOSTILE,
    }),
  );
  const image = { ...imageNamed(HOSTILE, true), displayName: HOSTILE, hasCuda: true, cudaVersion: HOSTILE };
  const answers: readonly (readonly [RegExp, unknown])[] = [
    [/\/offers\?/, { offers, page: 0, totalPages: 1, totalElements: 2, hasMore: false }],
    [/\/offers\//, offers[0]],
    [/\/images/, { data: [image, { ...image, id: `${HOSTILE}2`, isDefault: false }] }],
    [/\/providers$/, { data: [{ name: HOSTILE, type: HOSTILE }] }],
    [/\/balance$/, { balance: "12.0000", currency: "USD" }],
    [
      /\/account$/,
      {
        id: "00000000-0000-4000-8000-000000000000",
        email: "ada@example.com",
        display_name: HOSTILE,
        created_at: "2026-11-20T00:00:00.000Z",
      },
    ],
  ];
  return startOdd((request, response) => {
    const [, body] = answers.find(([path]) => path.test(request.url ?? "")) ?? [];
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
}
