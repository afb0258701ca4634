import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { zipSync } from "fflate";
import type { SourceItem } from "../source-item.js";
import type { LiveContext, LiveItem, LiveReply, LiveRequest, LiveSource } from "./live-source.js";
import { runRequests } from "./live-run.js";
import { recordedBody, type Recording } from "./recording.js";

// Recorded responses in a folder next to the project, if present; they are not part of it.

/** The folder that the recordings are in. */
export const recordingsFolder = new URL("../../../../../shared/", import.meta.url);

/** Whether the recordings are on this machine. */
export const present = existsSync(new URL("live/", recordingsFolder));

if (!present) {
  console.warn("The recorded responses are not on this machine: the tests that read them are skipped.");
}

/** A context without secrets, whose replies are recorded. */
export const recordedContext: LiveContext = { secrets: {}, settings: {}, aliases: new Map(), recorded: true };

/** Recorded bodies of main requests, by source. */
export const recordedBodies: { source: string; path: string }[] = parse(
  readFileSync(new URL("../../test/recorded-bodies.csv", import.meta.url)),
  { columns: true },
);

/** The bytes of a recorded body, by its path in the recordings folder. */
export function recordedBytes(path: string): Uint8Array {
  return readFileSync(new URL(path, recordingsFolder));
}

/** Everything that a source reads from a recording. */
export async function readRecording(
  source: LiveSource,
  recording: Recording,
  context: LiveContext = recordedContext,
): Promise<LiveItem[]> {
  const { replies, failedScopes } = await runRequests(source, context, async (request) => recording.reply(request));
  const failures = [...failedScopes].map(([scope, failure]) => ({ kind: "failure" as const, scope, failure }));
  return [...failures, ...(await readReplies(source, replies, context))];
}

/** Everything that a source reads from replies. */
export async function readReplies(
  source: LiveSource,
  replies: readonly LiveReply[],
  context: LiveContext = recordedContext,
): Promise<LiveItem[]> {
  const items: LiveItem[] = [];
  for await (const item of source.read(replies, context)) {
    items.push(item);
  }
  return items;
}

/** Everything that a source reads from the body of its main request. */
export async function readBody(
  source: LiveSource,
  body: string | Uint8Array,
  context?: LiveContext,
): Promise<LiveItem[]> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  return readRecording(source, recordedBody(bytes), context);
}

/** The items without notes and failures. */
export function sourceItems(items: readonly LiveItem[]): SourceItem[] {
  return items.filter(
    (item): item is Exclude<LiveItem, { kind: "note" | "failure" }> => item.kind !== "note" && item.kind !== "failure",
  );
}

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
