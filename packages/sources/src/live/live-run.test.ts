import { describe, expect, test } from "vitest";
import { SourceError } from "../source-error.js";
import { linode } from "./linode.js";
import { runRequests } from "./live-run.js";
import type { LiveReply, LiveRequest, LiveSource } from "./live-source.js";
import { recordedContext, bytesOf } from "./recordings.fixture.js";

const ok = (request: LiveRequest, body: unknown = {}): LiveReply => ({
  request,
  status: 200,
  headers: {},
  body: bytesOf(body),
});

/** A source that requests these URLs of its host, each with its scope. */
function sourceOf(addresses: readonly { url: string; scope?: string; optional?: true }[]): LiveSource {
  return {
    ...linode,
    hosts: ["api.example.com"],
    *requests() {
      for (const address of addresses) {
        yield { part: "rows", main: true, method: "GET", ...address };
      }
    },
  };
}

describe("runRequests", () => {
  test("goes on without the response to an optional request, whatever is wrong with it", async () => {
    const source = {
      ...sourceOf([
        { url: "https://api.example.com/a", scope: "a" },
        { url: "https://api.example.com/images", optional: true },
        { url: "https://other.example.com/images", optional: true },
        { url: "https://api.example.com/b", scope: "b" },
      ]),
    };
    const run = await runRequests(source, recordedContext, async (request) =>
      request.url.endsWith("/images") ? { request, failure: "It timed out." } : ok(request),
    );
    expect(run.completeScopes).toEqual(["a", "b"]);
    expect(run.failedScopes.size).toBe(0);
    expect(run.replies.map((reply) => ("failure" in reply ? reply.failure : reply.status))).toEqual([
      200,
      "It timed out.",
      "The response names a next page outside the hosts of the source.",
      200,
    ]);
  });

  test("keeps a scope out of the replies when one of its requests fails", async () => {
    const source = sourceOf([
      { url: "https://api.example.com/a/1", scope: "a" },
      { url: "https://api.example.com/a/2", scope: "a" },
      { url: "https://api.example.com/b", scope: "b" },
    ]);
    const run = await runRequests(source, recordedContext, async (request) =>
      request.url.endsWith("/a/2") ? { request, failure: "It timed out." } : ok(request),
    );
    expect(run.completeScopes).toEqual(["b"]);
    expect([...run.failedScopes]).toEqual([["a", "It timed out."]]);
    expect(run.replies.map(({ request }) => request.scope)).toEqual(["b"]);
  });

  test("fails only the scope whose response, pages or next URL are invalid", async () => {
    const source: LiveSource = {
      ...sourceOf([
        { url: "https://api.example.com/a", scope: "a" },
        { url: "https://api.example.com/b", scope: "b" },
        { url: "https://api.example.com/c", scope: "c" },
        { url: "https://api.example.com/c", scope: "c" },
        { url: "https://169.254.169.254/d", scope: "d" },
      ]),
      check({ body }) {
        if (body.length === 0) {
          throw new SourceError("The response is empty.");
        }
      },
    };
    const run = await runRequests(source, recordedContext, async (request) => ({
      ...ok(request),
      body: bytesOf(request.scope === "b" ? "" : "[]"),
    }));
    expect(run.completeScopes).toEqual(["a"]);
    expect([...run.failedScopes]).toEqual([
      ["b", "The response is empty."],
      ["c", "The pages of the response lead in a circle, or never end."],
      ["d", "The response names a next page outside the hosts of the source."],
    ]);
  });

  test("does not fail a scope for a response missing from a recording", async () => {
    const source = sourceOf([{ url: "https://api.example.com/a", scope: "a" }]);
    const run = await runRequests(source, recordedContext, async (request) => ({
      request,
      failure: "It is not recorded.",
      missing: true,
    }));
    expect(run.failedScopes.size).toBe(0);
  });

  test("stops at circular pages", async () => {
    const source = sourceOf([{ url: "https://api.example.com/1" }, { url: "https://api.example.com/1" }]);
    await expect(runRequests(source, recordedContext, async (request) => ok(request))).rejects.toThrow(SourceError);
  });

  test.each(["https://example.org/", "http://api.example.com/", "https://169.254.169.254/latest", "not a URL"])(
    "does not follow a response to %s",
    async (url) => {
      const sent: string[] = [];
      const run = runRequests(sourceOf([{ url }]), recordedContext, async (request) => {
        sent.push(request.url);
        return ok(request);
      });
      await expect(run).rejects.toThrow(SourceError);
      expect(sent).toEqual([]);
    },
  );

  test("ends with the error of a required request", async () => {
    const source = sourceOf([{ url: "https://api.example.com/1" }]);
    const run = runRequests(source, recordedContext, async () => {
      throw new RangeError("The network is gone.");
    });
    await expect(run).rejects.toThrow(RangeError);
  });
});
