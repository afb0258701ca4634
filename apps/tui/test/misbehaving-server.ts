import type { Offer } from "@gpu-offers/domain";
import { sendJson, startServer, type Handler } from "@gpu-offers/testkit/http-server";
import { errorBody } from "./fake-service.ts";
import { listingDetailsOf, listingPageOf } from "./listed.ts";
import { imageNamed, offerAt } from "./offers.ts";

// Servers that misbehave, or change between two requests. Each lives as long as the test that starts it.

/** Starts a server with any behavior, and returns its address. */
export async function startMisbehaving(handle: Handler): Promise<string> {
  return (await startServer(handle)).url;
}

/** A server that responds to every request with one error of the interface. */
export function failing(
  status: number,
  code: string,
  headers: Record<string, string> = {},
  message = "No.",
): Promise<string> {
  return startMisbehaving((response) => sendJson(response, errorBody(code, message), { status, headers }));
}

/** A server that lists one offer, and has another one of the same id, or none, when it is requested by id. */
export function changing(listed: Offer, now: Offer | undefined): Promise<string> {
  return startMisbehaving((response, { url = "" }) => {
    const found = now && listingDetailsOf(now);
    const body = url.startsWith("/api/v2/listings?")
      ? listingPageOf([listed])
      : url.endsWith("/images")
        ? { data: [] }
        : found;
    const status = body === undefined ? 404 : 200;
    sendJson(response, body ?? errorBody("not_found", "Offer not found."), { status });
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
  const responses: readonly (readonly [RegExp, unknown])[] = [
    [/\/listings\?/, listingPageOf(offers)],
    ...offers.map((offer) => [new RegExp(`/api/v2/listings/${offer.id}`), listingDetailsOf(offer)] as const),
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
  return startMisbehaving((response, { url = "" }) =>
    sendJson(response, responses.find(([path]) => path.test(url))?.[1]),
  );
}
