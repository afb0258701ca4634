import { readdirSync } from "node:fs";
import type { LiveContext, LiveItem, LiveReply, LiveRequest, LiveSource } from "./live-source.js";
import { runRequests } from "./live-run.js";
import type { SampleOutcome } from "./sample-outcome.fixture.js";
import { readReplies, recordedContext } from "./recordings.fixture.js";

// Small responses in the form of each source's API, written for the tests, one file per source: each has a known price
// and a row that is not an offer.

/** Bodies by source and part. Text and bytes (archives) are used as they are, anything else is encoded as JSON. */
export type Bodies = Readonly<Record<string, unknown>>;

interface SampleModule {
  expected: SampleOutcome;
}

const folder = new URL("samples/", import.meta.url);

/** Each file exports the responses, by the name of the source, and what reading them returns. */
const modules = await Promise.all(
  readdirSync(folder).map(async (file) => {
    const name = file.replace(/\.fixture\.ts$/, "");
    return [name, (await import(new URL(file, folder).href)) as SampleModule & Record<string, Bodies>] as const;
  }),
);

/** Responses of every source, by its name. */
export const samples: Readonly<Record<string, Bodies>> = Object.fromEntries(
  modules.map(([name, module]) => [name, module[name] ?? {}]),
);

/** What reading each sample returns, by the name of the source. */
export const outcomes: Readonly<Record<string, SampleOutcome>> = Object.fromEntries(
  modules.map(([name, { expected }]) => [name, expected]),
);

/** A context in which every source has something to read: conversion is on, and there is one scope. */
export function sampleContext(source: LiveSource, settings: LiveContext["settings"] = {}): LiveContext {
  const scopes = { runpod: ["secure US-KS-2"], skypilot: ["nebius"], gpuhunt: ["gcp"] }[source.name];
  const first = scopes ?? source.scopes?.defaults.slice(0, 1);
  return {
    ...recordedContext,
    settings: { ...(first === undefined ? {} : { scopes: first }), convert: "ecb", ...settings },
  };
}

/** What a source reads if each request gets the body of its part; a part without one is missing. */
export async function readBodies(
  source: LiveSource,
  bodies: Bodies,
  context: LiveContext = sampleContext(source),
): Promise<LiveItem[]> {
  const { replies } = await runRequests(source, context, async (request) => replyOf(request, bodies));
  return readReplies(source, replies, context);
}

function replyOf(request: LiveRequest, bodies: Bodies): LiveReply {
  const body = bodies[request.part];
  return body === undefined
    ? { request, failure: "There is no such body.", missing: true }
    : { request, status: 200, headers: {}, body: bytesOf(body) };
}

/** A body as received over the network. */
export function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) {
    return body;
  }
  return new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
}
