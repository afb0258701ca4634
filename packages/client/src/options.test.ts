import { describe, expect, test } from "vitest";
import { ArgumentError } from "./errors.js";
import { readOptions, type ClientOptions } from "./options.js";

const baseUrl = "http://127.0.0.1:3000";

function problemsOf(options: object): string {
  try {
    readOptions(options as ClientOptions);
    return "";
  } catch (error) {
    if (error instanceof ArgumentError) {
      return error.message;
    }
    throw error;
  }
}

test("omitted options have their defaults", () => {
  expect(readOptions({ baseUrl, apiKey: undefined, timeoutMs: undefined, retries: undefined })).toEqual({
    baseUrl,
    apiKey: undefined,
    fetch: expect.any(Function),
    timeoutMs: 10_000,
    retries: 2,
  });
});

describe("the address", () => {
  test.for([
    ["http://127.0.0.1:3000/", "http://127.0.0.1:3000"],
    ["HTTPS://Offers.Example:443/a/b//", "https://offers.example/a/b"],
    ["https://offers.example/ä", "https://offers.example/%C3%A4"],
  ] as const)("is taken: %s", ([given, taken]) => {
    expect(readOptions({ baseUrl: given }).baseUrl).toBe(taken);
    expect(readOptions({ baseUrl: new URL(given) }).baseUrl).toBe(taken);
  });

  test.for([
    [undefined, "must be an http or https URL"],
    ["", "must be an http or https URL"],
    ["127.0.0.1:3000", "must be an http or https URL"],
    ["localhost:3000", "must be an http or https URL"],
    ["/api", "must be an http or https URL"],
    ["ftp://offers.example", "must be an http or https URL"],
    ["file:///etc/passwd", "must be an http or https URL"],
    ["https://ada:secret@offers.example", "must not contain a user name or password"],
    ["https://gpo_secret@offers.example", "must not contain a user name or password"],
    ["https://offers.example/?key=secret", "must not have a query"],
    ["https://offers.example/#secret", "must not have a query"],
  ] as const)("is rejected: %s", ([given, problem]) => {
    const problems = problemsOf({ baseUrl: given });
    expect(problems).toContain(`baseUrl ${problem}`);
    expect(problems).not.toContain("secret");
  });
});

describe("the key", () => {
  test.for(["gpo_0123", "a.b-c~d+e/f=", "!"])("is taken: %s", (apiKey) => {
    expect(readOptions({ baseUrl, apiKey }).apiKey).toBe(apiKey);
  });

  test.for(["", " ", "gpo_secret\n", "gpo secret", "gpo_\u0000secret", "gpo_sécret", "gpo_secret\u007f", 5, null])(
    "is rejected: %j",
    (apiKey) => {
      const problems = problemsOf({ baseUrl, apiKey });
      expect(problems).toMatch(/^apiKey must/);
      expect(problems).not.toContain("secret");
    },
  );
});

describe("a number", () => {
  test.for([
    ["timeoutMs", 1],
    ["timeoutMs", 2_147_483_647],
    ["retries", 0],
    ["retries", 10],
  ] as const)("is taken: %s %d", ([name, value]) => {
    expect(readOptions({ baseUrl, [name]: value })).toHaveProperty(name, value);
  });

  test.for([
    ["timeoutMs", 0],
    ["timeoutMs", 2_147_483_648],
    ["timeoutMs", Number.POSITIVE_INFINITY],
    ["retries", -1],
    ["retries", 11],
    ["retries", 1.5],
    ["retries", Number.NaN],
    ["retries", "2"],
  ] as const)("is rejected: %s %s", ([name, value]) => {
    expect(problemsOf({ baseUrl, [name]: value })).toMatch(new RegExp(`^${name} must be a whole number from`));
  });
});

test("all problems are reported at once", () => {
  expect(problemsOf({ baseUrl: "x", apiKey: "", timeoutMs: 0, retries: -1 })).toBe(
    [
      "baseUrl must be an http or https URL such as http://127.0.0.1:3000.",
      "apiKey must not be empty; omit it if there is none.",
      "timeoutMs must be a whole number from 1 to 2147483647.",
      "retries must be a whole number from 0 to 10.",
    ].join(" "),
  );
});
