import { fileURLToPath } from "node:url";
import type * as z from "zod";
import { expect, expectTypeOf, test } from "vitest";
import { schemaTypesModule, type TYPED_SCHEMAS } from "./schema-types.fixture.js";
import type { SchemaTypes } from "./schema-types.js";

// Run with -u to generate the types.

// The schema of listings is made from a table, so nothing can be inferred from it.
type Name = Exclude<keyof typeof TYPED_SCHEMAS, "ListListingsQuery">;
type Inferred = { [Each in Name]: z.output<(typeof TYPED_SCHEMAS)[Each]> };

test("the types of schemas have the descriptions of the schemas", async () => {
  await expect(schemaTypesModule()).toMatchFileSnapshot(fileURLToPath(new URL("schema-types.ts", import.meta.url)));
});

test("the types are those that the schemas infer", () => {
  expectTypeOf<Pick<SchemaTypes, Name>>().toEqualTypeOf<Inferred>();
});
