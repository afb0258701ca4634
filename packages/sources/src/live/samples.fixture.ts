import { readdirSync, readFileSync } from "node:fs";
import { zipSync } from "fflate";
import type { LiveContext, LiveItem, LiveReply, LiveRequest, LiveSource } from "./live-source.js";
import { runRequests } from "./live-run.js";
import { readReplies, recordedContext } from "./recordings.fixture.js";

// Small responses in the form of each source's API, written for the tests, one file per source: each has a known price
// and a row that is not an offer.

/** Bodies by source and part. Text and bytes (archives) are used as they are, anything else is encoded as JSON. */
export type Bodies = Readonly<Record<string, unknown>>;

interface Sample {
  /** What reading them must return. */
  expected: unknown;
  /** Responses by part. An object of texts under `zip` is an archive of these files. */
  bodies: Bodies;
}

const folder = new URL("../../test/samples/", import.meta.url);

/** The files, by the name of the source. */
export const sampleFiles = readdirSync(folder).map(
  (file) => [file.replace(/\.json$/, ""), JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Sample] as const,
);

/** Responses of every source, by its name. */
export const samples: Readonly<Record<string, Bodies>> = Object.fromEntries(
  sampleFiles.map(([name, { bodies }]) => [
    name,
    Object.fromEntries(Object.entries(bodies).map(([part, body]) => [part, archived(body)])),
  ]),
);

function archived(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("zip" in body)) {
    return body;
  }
  const files = Object.entries(body.zip as Readonly<Record<string, string>>);
  return zipSync(Object.fromEntries(files.map(([name, text]) => [name, bytesOf(text)])), { mtime: "2026-11-21" });
}

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
