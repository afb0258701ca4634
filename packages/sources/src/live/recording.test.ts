import { describe, expect, test } from "vitest";
import { SourceError } from "../source-error.js";
import { isFailure, type LiveReply, type LiveRequest } from "./live-source.js";
import { recordedBody, recordedResponse, recordedResponses, type Recorded } from "./recording.js";
import { bytesOf } from "./recordings.fixture.js";

const get = (url: string, more: Partial<LiveRequest> = {}): LiveRequest => ({
  part: "rows",
  main: true,
  method: "GET",
  url: `https://api.example.com${url}`,
  ...more,
});

const recorded = (url: string, body: string, more: Partial<Recorded> = {}): Recorded => ({
  method: "GET",
  url,
  status: 200,
  headers: {},
  body: bytesOf(body),
  ...more,
});

const textOf = (reply: LiveReply) => (isFailure(reply) ? undefined : Buffer.from(reply.body).toString());

describe("a recording", () => {
  test.each([
    ["another host", "https://old.example.org/v2/plans?type=gpu"],
    ["another version", "https://api.example.com/v4beta/plans?type=gpu"],
    ["a version behind a prefix", "https://api.example.com/api/v1/plans?type=gpu"],
    ["another page size", "https://api.example.com/v2/plans?type=gpu&per_page=50"],
    ["the first page by its number", "https://api.example.com/v2/plans?type=gpu&page=1"],
    ["no filter", "https://api.example.com/v2/plans"],
    ["no host at all", "/v2/plans?type=gpu"],
  ])("matches despite %s", (_what, url) => {
    const recording = recordedResponses([recorded(url, "plans")]);
    expect(textOf(recording.reply(get("/v2/plans?type=gpu&per_page=500")))).toBe("plans");
    expect(recording.unused()).toEqual([]);
  });

  test.each([
    ["another path", "https://api.example.com/v2/regions"],
    ["another filter", "https://api.example.com/v2/plans?type=cpu"],
    ["another page", "https://api.example.com/v2/plans?type=gpu&page=2"],
    ["a cursor", "https://api.example.com/v2/plans?type=gpu&cursor=abc"],
  ])("does not match %s", (_what, url) => {
    const reply = recordedResponses([recorded(url, "other")]).reply(get("/v2/plans?type=gpu"));
    expect(reply).toMatchObject({ missing: true });
  });

  test("prefers the response with more of the parameters", () => {
    const recording = recordedResponses([recorded("/plans", "all"), recorded("/plans?zone=a", "a")]);
    expect(textOf(recording.reply(get("/plans?zone=a")))).toBe("a");
    expect(textOf(recording.reply(get("/plans?zone=b")))).toBe("all");
  });

  test("serves POST requests without recorded bodies in order, each response once", () => {
    const post: Partial<Recorded> = { method: "POST" };
    const recording = recordedResponses([recorded("/search", "1", post), recorded("/search", "2", post)]);
    const request = get("/search", { method: "POST", body: "{}" });
    expect([1, 2, 3].map(() => textOf(recording.reply(request)))).toEqual(["1", "2", undefined]);
  });

  test("serves a POST request the response recorded for its body", () => {
    const recording = recordedResponses([
      recorded("/search", "b", { method: "POST", requestBody: "B" }),
      recorded("/search", "a", { method: "POST", requestBody: "A" }),
    ]);
    expect(textOf(recording.reply(get("/search", { method: "POST", body: "A" })))).toBe("a");
  });

  test("finds a list under its former path", () => {
    const recording = recordedResponses([recorded("https://x/api/v0/search/asks/?q=%7B%7D", "asks")]);
    const request = get("/api/v0/bundles/", { method: "POST", alsoAt: ["GET search/asks"] });
    expect(textOf(recording.reply(request))).toBe("asks");
  });

  test("returns a recorded error as a failure", () => {
    const reply = recordedResponses([recorded("/plans", "no", { status: 503 })]).reply(get("/plans"));
    expect(reply).toMatchObject({ failure: expect.stringContaining("503") });
    expect(reply).not.toHaveProperty("missing");
  });

  test("of one body belongs to the first main request", () => {
    const recording = recordedBody(bytesOf("body"));
    expect(textOf(recording.reply(get("/regions", { main: false })))).toBeUndefined();
    expect(textOf(recording.reply(get("/anything")))).toBe("body");
    expect(textOf(recording.reply(get("/anything")))).toBeUndefined();
  });

  test("joins repeated headers and converts their names to lower case", () => {
    const head = {
      method: "get",
      url: "/a",
      status: 200,
      responseHeaders: { "X-Total-Count": ["1"], Link: ["a", "b"] },
    };
    expect(recordedResponse(head, bytesOf(""), "a.http.json")).toMatchObject({
      method: "GET",
      headers: { "x-total-count": "1", link: "a, b" },
    });
    expect(() => recordedResponse({ status: "200" }, bytesOf(""), "a.http.json")).toThrow(SourceError);
  });
});
