import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from "@nestjs/swagger";
import { z } from "zod";
import { servePages } from "./pages.js";

// The OpenAPI 3.1 document, made of the routes and the same zod schemas that check them.

/** Serves the document and its pages. `isKeyRequired`: the catalog, too, needs an API key. */
export function serveOpenApi(app: NestFastifyApplication, version: string, isKeyRequired: boolean): void {
  servePages(app.getHttpAdapter().getInstance(), () => createDocument(app, version, isKeyRequired));
}

/** Builds the document of an application. */
function createDocument(app: NestFastifyApplication, version: string, isKeyRequired: boolean): OpenAPIObject {
  const base = new DocumentBuilder()
    .setOpenAPIVersion("3.1.1")
    .setTitle("gpu-offers")
    .setDescription(
      [
        "Rentable GPU instance offers of many providers, the providers and their OS images, the caller's account and credit.",
        "",
        "Prices are USD an hour, sizes are GB. A question that is wrong gets an answer that says what is wrong:",
        "unknown, repeated and malformed parameters are errors, never ignored.",
      ].join("\n"),
    )
    .setVersion(version)
    .setLicense("MIT", "https://opensource.org/license/mit")
    .addServer("/", "This service")
    .addTag("Offers", "What can be rented, where, and for how much.")
    .addTag("Providers", "Who rents it out, and the OS images a deployment can start from.")
    .addTag("Sources", "Where the offers come from, and how old their prices are.")
    .addTag("Account", "The caller's account and prepaid credit.")
    .addTag("Health", "For whoever keeps the service running.")
    .addBearerAuth({ type: "http", scheme: "bearer", description: "An API key of the operator: gpo_..." }, "apiKey")
    .build();
  // What needs a key whatever the settings, and what never does, says so itself.
  base.security = isKeyRequired ? [{ apiKey: [] }] : [];
  return SwaggerModule.createDocument(app, base, { standardSchemaConverter });
}

type JsonSchema = Record<string, unknown> & { properties?: Record<string, JsonSchema> };

function standardSchemaConverter(schema: unknown, { schemaType }: { schemaType: "input" | "output" }) {
  if (!(schema instanceof z.ZodType)) {
    return undefined;
  }
  const { $schema: _, $defs, ...converted } = toJsonSchema(schema, schemaType === "input" ? "input" : "output");
  if (schemaType === "input") {
    return { schema: typed(converted, toJsonSchema(schema, "output")) };
  }
  const { id, ...own } = converted;
  const components = { ...($defs as Record<string, unknown> | undefined) };
  if (typeof id !== "string") {
    return { schema: own, components };
  }
  return { schema: { $ref: `#/components/schemas/${id}` }, components: { ...components, [id]: own } };
}

function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  return z.toJSONSchema(schema, {
    io,
    target: "draft-2020-12",
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      // Whoever reads an answer must survive new fields, and safe-integer bounds say nothing to people.
      delete jsonSchema.additionalProperties;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
        delete jsonSchema.maximum;
      }
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) {
        delete jsonSchema.minimum;
      }
    },
  }) as JsonSchema;
}

/**
 * Parameters arrive as texts, and whole numbers and enumerations are told by what the texts are turned
 * into; lists stay what they are in the URL: comma-separated texts.
 */
function typed(input: JsonSchema, output: JsonSchema): JsonSchema {
  const properties = Object.entries(input.properties ?? {}).map(([name, property]) => {
    const parsed = output.properties?.[name];
    const isTyped = parsed !== undefined && (parsed["type"] === "integer" || Array.isArray(parsed["enum"]));
    // An example is one of the result as well, so zod drops it from the input; here both are the text.
    return [
      name,
      isTyped ? parsed : { ...property, ...(parsed?.["examples"] ? { examples: parsed["examples"] } : {}) },
    ];
  });
  return { ...input, properties: Object.fromEntries(properties) as Record<string, JsonSchema> };
}
