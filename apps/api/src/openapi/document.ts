import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from "@nestjs/swagger";
import * as z from "zod";
import { Catalog } from "../catalog/catalog.js";
import type { Foundation } from "../foundation.js";
import { NDJSON_TYPE } from "../wire/accepted.js";
import { ClientAddress } from "../wire/client-address.js";
import { isDeprecated } from "../wire/deprecation.js";
import { RATE_LIMIT_HEADERS } from "./decorators.js";
import { DESCRIPTION } from "./description.js";
import { exampleListingList } from "./examples.js";
import { documentWithLiveExamples } from "./live-examples.js";
import { servePages } from "./pages.js";
import { shareComponents } from "./shared-components.js";

// The OpenAPI 3.1 document, generated from the routes and the zod schemas that validate their requests.

/** Serves the document and its pages. */
export function serveOpenApi(app: NestFastifyApplication, { config, version }: Foundation): void {
  const makeDocument = (): OpenAPIObject => createDocument(app, version, config.REQUIRE_API_KEY);
  const addresses = new ClientAddress(config.TRUST_PROXY);
  servePages(app.getHttpAdapter().getInstance(), documentWithLiveExamples(makeDocument, app.get(Catalog)), addresses);
}

/** Builds the document of an application. */
function createDocument(app: NestFastifyApplication, version: string, isKeyRequired: boolean): OpenAPIObject {
  const base = new DocumentBuilder()
    .setOpenAPIVersion("3.1.1")
    .setTitle("gpu-offers")
    .setDescription(DESCRIPTION)
    .setVersion(version)
    .setLicense("MIT", "https://opensource.org/license/mit")
    .addServer("/", "This service")
    .addTag("Offers", "Rentable GPU instances with locations and prices.")
    .addTag("Listings", "Offers with what one needs to rent them: instance types, sellers, spot prices, launch texts.")
    .addTag("GPUs", "GPU models with their figures, and what they cost now and over time.")
    .addTag("Providers", "Providers and their OS images.")
    .addTag("Sources", "Sources of the offers, and the age of their prices.")
    .addTag("Account", "Your account and prepaid credit.")
    .addTag("Health", "Probes and metrics for operators.")
    .addBearerAuth(
      {
        type: "http",
        scheme: "bearer",
        bearerFormat: "opaque API key",
        description: "API key issued by the operator: gpo_ followed by 36 letters and digits. Opaque, not a JWT.",
      },
      "apiKey",
    )
    .build();
  // The builder would also write an empty email address, which is not a valid one.
  base.info.contact = { name: "gpu-offers", url: "https://github.com/gpu-offers/gpu-offers/issues" };
  // Operations that always or never need a key declare it themselves. For all others it is optional.
  base.security = isKeyRequired ? [{ apiKey: [] }] : [{}, { apiKey: [] }];
  const document = SwaggerModule.createDocument(app, base, { standardSchemaConverter });
  for (const path of Object.keys(document.paths).filter(isDeprecated)) {
    delete document.paths[path];
  }
  addRateLimitHeaders(document);
  addMediaTypes(document);
  return shareComponents(document);
}

/** Successful responses of operations that count requests have these; errors after the count document them too. */
function addRateLimitHeaders(document: OpenAPIObject): void {
  for (const { get } of Object.values(document.paths)) {
    const success = get?.responses["200"];
    if (get?.responses["429"] !== undefined && success !== undefined && !("$ref" in success)) {
      success.headers = { ...success.headers, ...RATE_LIMIT_HEADERS };
    }
  }
}

/** Media types besides JSON: errors are pages for browsers, except below /api, and listings are lines if asked for. */
function addMediaTypes(document: OpenAPIObject): void {
  for (const [path, { get }] of Object.entries(document.paths)) {
    for (const [status, response] of Object.entries(get?.responses ?? {})) {
      if (Number(status) >= 400 && !path.startsWith("/api/") && response !== undefined && "content" in response) {
        response.content = {
          ...response.content,
          "text/html": { schema: { type: "string" }, example: "<!doctype html>" },
        };
      }
      if (path === "/api/v2/listings" && status === "200" && response !== undefined && "content" in response) {
        const lines = {
          schema: { type: "string" as const, description: "One JSON object per line, each a listing." },
          example: exampleListingList.listings.map((listing) => `${JSON.stringify(listing)}\n`).join(""),
        };
        response.content = { ...response.content, [NDJSON_TYPE]: lines };
      }
    }
  }
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
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema instanceof z.ZodISODateTime) {
        // The format is enough; the pattern would repeat it.
        delete jsonSchema.allOf;
        delete jsonSchema.pattern;
        jsonSchema.format = "date-time";
      }
      // Clients must accept new fields, and safe-integer bounds are noise.
      delete jsonSchema.additionalProperties;
      if (jsonSchema.minimum !== undefined) {
        delete jsonSchema.exclusiveMinimum;
      }
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) {
        delete jsonSchema.maximum;
      }
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) {
        delete jsonSchema.minimum;
      }
    },
  }) as JsonSchema;
}

const TYPED = new Set<unknown>(["integer", "number", "boolean"]);

/**
 * Parameters arrive as text. Numbers, booleans and enums are described by their parsed type; lists stay comma-separated
 * text, as in the URL. Optional parameters have no examples, because the viewer's forms would send them.
 */
function typed(input: JsonSchema, output: JsonSchema): JsonSchema {
  const properties = Object.entries(input.properties ?? {}).map(([name, property]) => {
    const parsed = output.properties?.[name];
    const isTyped = parsed !== undefined && (TYPED.has(parsed["type"]) || Array.isArray(parsed["enum"]));
    const { examples: _, ...schema } = isTyped ? parsed : property;
    return [name, schema];
  });
  return { ...input, properties: Object.fromEntries(properties) as Record<string, JsonSchema> };
}
