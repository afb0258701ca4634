import { fileURLToPath } from "node:url";
import type * as z from "zod";
import { expect, expectTypeOf, test } from "vitest";
import type { SchemaTypes } from "./schema-types.fixture.js";
import { allTypesModule, typeModules, type TYPED_SCHEMAS } from "./typed-schemas.fixture.js";

// Run with -u to generate the types.

type Files = typeof TYPED_SCHEMAS;

// The schema of listings is made from a table, so nothing can be inferred from it.
type Name = Exclude<keyof SchemaTypes, "ListListingsQuery">;
type SchemaOf<Each extends string> = {
  [File in keyof Files]: Each extends keyof Files[File] ? Files[File][Each] : never;
}[keyof Files];
type Inferred = { [Each in Name]: z.output<SchemaOf<Each>> };

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

test("the types of schemas have the descriptions of the schemas", async () => {
  for (const [file, text] of typeModules()) {
    await expect(text).toMatchFileSnapshot(path(file));
  }
  await expect(allTypesModule()).toMatchFileSnapshot(path("schema-types.fixture.ts"));
});

test("the types are those that the schemas infer", () => {
  expectTypeOf<Pick<SchemaTypes, Name>>().toEqualTypeOf<Inferred>();
});
