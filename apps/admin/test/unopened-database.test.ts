import { expect, test } from "vitest";
import { admin as adminProcess } from "@gpu-offers/testkit/admin";
import { admin } from "./in-process.ts";

// Commands on a database that can't be opened: one line, without its password.

const REPORT = {
  code: 1,
  stdout: "",
  stderr: expect.stringMatching(/^gpu-offers-admin: cannot open the database (?![^\n]*s3cret)[^\n]+\n$/) as string,
};

test.each([
  ["a server that does not listen", "postgres://ada:s3cret@127.0.0.1:1/offers"],
  ["a host that does not exist", "postgres://ada:s3cret@host.invalid/offers"],
  ["a password in the query", "postgres://127.0.0.1:1/offers?user=ada&password=s3cret"],
  ["a password with odd characters", "postgres://ada:s3cret%40%2F:@127.0.0.1:1/offers"],
  ["a password that cannot be decoded", "postgres://ada:s3cret%zz@127.0.0.1:1/offers"],
])("%s is reported", async (_, url) => {
  expect(await admin(url, "account", "list")).toMatchObject(REPORT);
});

test("a process that reports it ends", async () => {
  expect(await adminProcess("postgres://ada:s3cret@127.0.0.1:1/offers", "account", "list")).toMatchObject(REPORT);
});

test.each([
  "postgres://ada:s3cret@db:port/x",
  "postgres://ada:s3@cret@db:port/x",
  "postgres://ada:s3/cret@db/x",
  "postgres://db:port/x?user=ada&password=s3cret&sslmode=require",
])("an invalid DATABASE_URL is reported: %s", async (url) => {
  const { code, stdout, stderr } = await admin(url, "account", "list");
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^gpu-offers-admin: DATABASE_URL must be [^\n]+\n$/);
  expect(stderr).not.toContain("cret");
});
