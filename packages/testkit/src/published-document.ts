import * as z from "zod";
import { fetchFrom, jsonOf } from "./http.ts";

// The OpenAPI document that a service publishes, with the parts that tests use.

const schemaSchema = z.record(z.string(), z.json());

const responseSchema = z.object({
  description: z.string().min(1),
  headers: z.record(z.string(), z.looseObject({ required: z.boolean() })).default({}),
  content: z.record(z.string(), z.object({ schema: schemaSchema, example: z.json() })).optional(),
});

const operationSchema = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  parameters: z.array(
    z.object({
      name: z.string(),
      in: z.string(),
      required: z.boolean(),
      description: z.string().min(1),
      schema: schemaSchema,
      example: z.json().optional(),
    }),
  ),
  responses: z.record(z.string(), responseSchema),
  security: z.json().optional(),
});

const documentSchema = z.object({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.object({ schemas: z.record(z.string(), schemaSchema) }),
});

type Operation = z.output<typeof operationSchema>;

/** The document of a service, with helpers to query it. */
export interface PublishedDocument {
  raw: unknown;
  openapi: string;
  /** Operations by path as written in the document, `/api/v1/offers/{id}`; all are GET. */
  operations: ReadonlyMap<string, Operation>;
  /** The schema of a documented response; undefined for a response without a body. */
  responseSchema: (path: string, status: number) => z.ZodType | undefined;
}

/** The parts of a document that operations share, by kind and name. */
type Shared = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Resolves references to shared responses, headers and parameters in a document. */
function dereferenced(value: unknown, shared: Shared): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => dereferenced(item, shared));
  }
  if (value === null || typeof value !== "object") {
    return value;
  }
  const reference = "$ref" in value ? String(value.$ref) : "";
  const [, kind = "", name = ""] = /^#\/components\/(responses|headers|parameters)\/(.+)$/.exec(reference) ?? [];
  if (kind !== "") {
    return dereferenced(shared[kind]?.[name], shared);
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, dereferenced(item, shared)]));
}

export async function publishedDocument(service: { port: number }): Promise<PublishedDocument> {
  const raw = jsonOf(await fetchFrom(service, "/openapi.json"));
  const { components: shared } = raw as { components: Shared };
  const { openapi, paths, components } = documentSchema.parse(dereferenced(raw, shared));
  const operations = new Map<string, Operation>();
  for (const [path, { get, ...others }] of Object.entries(paths)) {
    if (get === undefined || Object.keys(others).length > 0) {
      throw new Error(`${path} has other operations than GET.`);
    }
    operations.set(path, get);
  }
  const compiled = new Map<string, z.ZodType | undefined>();
  const compile = (path: string, status: number): z.ZodType | undefined => {
    const response = operations.get(path)?.responses[status];
    if (response === undefined) {
      throw new Error(`The document has no response ${status} of ${path}.`);
    }
    const schema = response.content?.["application/json"]?.schema;
    if (schema === undefined) {
      return undefined;
    }
    // JSON Schema has local definitions under another path than OpenAPI.
    const text = JSON.stringify({ ...schema, $defs: components.schemas });
    return z.fromJSONSchema(JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")));
  };
  return {
    raw,
    openapi,
    operations,
    responseSchema: (path, status) => {
      const key = `${status} ${path}`;
      if (!compiled.has(key)) {
        compiled.set(key, compile(path, status));
      }
      return compiled.get(key);
    },
  };
}
