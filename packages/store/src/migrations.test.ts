import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { statementsOf, type Step } from "./migrations/step.js";
import { MIGRATIONS } from "./migrations/steps.js";

// Digests of the SQL of each migration that has shipped, for both databases. Add a migration here when it ships; a line
// never changes.
const SHIPPED = {
  "001-catalog": "ee8dab51f3899ae8",
  "002-accounts": "d39165c4f1f10a53",
  "003-running-balance": "15e6f18ef310e253",
  "004-live-sources": "872487ec3403f869",
  "005-history": "0aec60489217be2a",
  "006-changes-of-revision": "78edf032f7e42862",
};

function digestOf(steps: readonly Step[]): string {
  const statements = [statementsOf(steps, "sqlite"), statementsOf(steps, "postgres")];
  return createHash("sha256").update(JSON.stringify(statements)).digest("hex").slice(0, 16);
}

test("a migration that has shipped is never edited, moved or removed", () => {
  const all = Object.entries(MIGRATIONS).map(([name, steps]) => [name, digestOf(steps)]);
  expect(all.slice(0, Object.keys(SHIPPED).length)).toEqual(Object.entries(SHIPPED));
  const names = Object.keys(MIGRATIONS);
  expect(names).toEqual(names.toSorted());
});

test("statements differ by the types of each database alone", () => {
  const steps: Step[] = ["create table a (id {serial}, name {text}, body {bytes})", { sqlite: ["x"], postgres: [] }];
  expect(statementsOf(steps, "sqlite")).toEqual([
    "create table a (id integer primary key autoincrement, name text, body blob)",
    "x",
  ]);
  expect(statementsOf(steps, "postgres")).toEqual([
    'create table a (id bigserial primary key, name text collate "C", body bytea)',
  ]);
});
