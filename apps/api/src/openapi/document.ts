import type { NestFastifyApplication } from "@nestjs/platform-fastify";
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from "@nestjs/swagger";
import * as z from "zod";
import { Catalog } from "../catalog/catalog.js";
import type { Foundation } from "../foundation.js";
import { NDJSON_TYPE } from "../wire/accepted.js";
import { ClientAddress } from "../wire/client-address.js";
import { isDeprecated } from "../wire/deprecation.js";
import { exampleListingList } from "./examples.js";
import { servePages } from "./pages.js";
import { isDeepStrictEqual } from "node:util";
import { ERROR_CODES, ERRORS, offerListSchema, listOffersQuerySchema } from "@gpu-offers/domain";
import type { Snapshot } from "../catalog/snapshot.js";
import { EncodedContent } from "../http/content.js";

// The OpenAPI 3.1 document, generated from the routes and the zod schemas that validate their requests.

const DESCRIPTION = `Browse rentable GPU instance offers of many providers, list providers and their OS images, and read your account and prepaid credit.

Prices are in USD per hour, sizes in GB. Every operation is a GET.

**Authentication.** Send an API key as \`Authorization: Bearer <key>\`. Keys are opaque strings that begin with \`gpo_\`. Account operations require a key. Catalog operations require one only if the operator configured the service that way. [Guide](/docs/guides/authentication)

**Paging.** Pages are numbered from 0. The default page size is 25, the maximum 100. Request the next page while \`hasMore\` is true. [Guide](/docs/guides/paging)

**Errors.** All responses with status 400 or above have the same JSON body, with a \`code\` from a closed list. Unknown, repeated and malformed parameters are errors; they are never ignored. [Guide](/docs/guides/errors)

**Price with a disk.** If \`storageMinGB\` equals \`storageMaxGB\` and \`storageCostPerGB\` is 0, the disk is included. Otherwise the price is \`priceHourly + disk_gb * storageCostPerGB\`. If \`costDataComplete\` is false, the price is a lower bound. [Guide](/docs/guides/price)

**GPUs.** \`GET /api/v2/gpus\` lists all slugs with figures, sources and prices; \`GET /api/v2/gpus/{slug}/prices\` has prices over time. [Guide](/docs/guides/gpus)

**Caching.** Catalog responses have an \`ETag\`. Send it in \`If-None-Match\` to get a 304 if nothing has changed. [Guide](/docs/guides/caching)

**Limits.** If rate limiting is on, responses have \`RateLimit-*\` headers. A 429 response says in \`Retry-After\` how long to wait. [Guide](/docs/guides/limits)

**Versions.** Within /api/v1 and /api/v2, fields and values may be added, but are never changed or removed. Ignore unknown ones. [Guide](/docs/guides/versions)`;

/** Serves the document and its pages. */
export function serveOpenApi(app: NestFastifyApplication, { config, version }: Foundation): void {
  const makeDocument = (): OpenAPIObject => createDocument(app, version, config.REQUIRE_API_KEY);
  const addresses = new ClientAddress(config.TRUST_PROXY);
  servePages(app.getHttpAdapter().getInstance(), documentWithLiveExamples(makeDocument, app.get(Catalog)), addresses);
}

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
  const document = SwaggerModule.createDocument(app, base, {
    standardSchemaConverter,
    // Handlers are named after their operations.
    operationIdFactory: (_controller, handler) => handler,
  });
  for (const [path, { get }] of Object.entries(document.paths)) {
    if (isDeprecated(path)) {
      delete document.paths[path];
    } else if (get !== undefined) {
      // Nest numbers the versions of a handler.
      get.operationId = get.operationId?.replace(/\[\d\]$/, "") ?? "";
    }
  }
  addMediaTypes(document);
  return shareComponents(document);
}

/** Media types besides JSON: errors are pages for browsers, except below /api, and listings are lines if asked for. */
function addMediaTypes(document: OpenAPIObject): void {
  const page = { schema: { type: "string" as const }, example: "<!doctype html>" };
  const lines = {
    schema: { type: "string" as const, description: "One JSON object per line, each a listing." },
    example: exampleListingList.listings.map((listing) => `${JSON.stringify(listing)}\n`).join(""),
  };
  for (const [path, { get }] of Object.entries(document.paths)) {
    for (const [status, response] of Object.entries(get?.responses ?? {})) {
      if (response !== undefined && "content" in response) {
        response.content = {
          ...response.content,
          ...(Number(status) >= 400 && !path.startsWith("/api/") && { "text/html": page }),
          ...(path === "/api/v2/listings" && status === "200" && { [NDJSON_TYPE]: lines }),
        };
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

// Nest repeats responses and header parameters in each operation. This moves them to shared components.

type Json = Record<string, unknown>;

type Kind = "responses" | "headers" | "parameters";

/** Moves what operations have in common to the document's components. */
function shareComponents(document: OpenAPIObject): OpenAPIObject {
  const components: Record<Kind, Json> = { responses: {}, headers: {}, parameters: {} };
  /** A reference to the component of this name, or the value itself if a different one has the name. */
  const share = (kind: Kind, name: string, value: Json): Json =>
    isDeepStrictEqual((components[kind][name] ??= value), value) ? { $ref: `#/components/${kind}/${name}` } : value;
  for (const operation of Object.values(document.paths).flatMap((item) =>
    Object.values(item as Record<string, Json>),
  )) {
    const responses = operation["responses"] as Record<string, Json>;
    for (const [status, response] of Object.entries(responses)) {
      const headers = Object.entries((response["headers"] ?? {}) as Record<string, Json>);
      const shared = {
        ...response,
        headers: Object.fromEntries(headers.map(([name, header]) => [name, share("headers", name, header)])),
      };
      const name = nameOfResponse(Number(status), response);
      responses[status] = name === undefined ? shared : share("responses", name, shared);
    }
    operation["parameters"] = ((operation["parameters"] ?? []) as Json[]).map((parameter) =>
      parameter["in"] === "header"
        ? share("parameters", String(parameter["name"]).replaceAll("-", ""), parameter)
        : parameter,
    );
  }
  document.components = { ...document.components, ...components } as NonNullable<OpenAPIObject["components"]>;
  return document;
}

/** Component name such as `InvalidParameter`, from the error's code, or from its message if a code has several. */
function nameOfResponse(status: number, response: Json): string | undefined {
  if (status === 304) {
    return "NotModified";
  }
  const content = (response["content"] ?? {}) as Record<string, { example?: Json }>;
  const example = content["application/json"]?.example;
  const code = ERROR_CODES.find((known) => known === example?.["code"] && ERRORS[known].status === status);
  // Errors outside /api are also pages.
  const suffix = "text/html" in content ? "OrPage" : "";
  return code && `${pascal(code === "not_found" ? String(example?.["message"]) : code)}${suffix}`;
}

function pascal(text: string): string {
  return text.replaceAll(
    /[^A-Za-z]*([A-Za-z])([A-Za-z]*)[^A-Za-z]*/g,
    (_, first: string, rest: string) => first.toUpperCase() + rest,
  );
}

/** Examples of required parameters: the id of a current offer, its provider and its GPU, so "Try it out" works as it is. */
type Examples = Record<"id" | "offer" | "provider" | "slug", string>;

/** Returns the document as JSON, with examples of the current catalog. They change only when the offer is gone. */
function documentWithLiveExamples(makeDocument: () => OpenAPIObject, catalog: Catalog): () => EncodedContent {
  let document: OpenAPIObject | undefined;
  let examples: Examples | undefined;
  let body: EncodedContent | undefined;
  return () => {
    const { snapshot } = catalog;
    document ??= makeDocument();
    const isCurrent = examples !== undefined && snapshot?.findOffer(examples.id) !== undefined;
    const current = isCurrent ? examples : snapshot && findExamples(snapshot);
    if (body === undefined || current !== examples) {
      examples = current;
      setExamples(document, examples);
      body = EncodedContent.of(Buffer.from(JSON.stringify(document)));
    }
    return body;
  };
}

/** Examples of the cheapest offer; undefined if the catalog is empty. */
function findExamples(snapshot: Snapshot): Examples | undefined {
  const cheapest = listOffersQuerySchema.parse({ sort_by: "priceHourly", size: "1" });
  const [offer] = offerListSchema.parse(JSON.parse(snapshot.listOffers(cheapest).body.toString())).offers;
  return offer && { id: offer.id, offer: offer.id, provider: offer.provider.name, slug: offer.gpu.slug };
}

function setExamples(document: OpenAPIObject, examples: Examples | undefined): void {
  for (const item of Object.values(document.paths)) {
    for (const parameter of item.get?.parameters ?? []) {
      if ("in" in parameter && parameter.required === true && examples !== undefined) {
        parameter.example = examples[parameter.name as keyof Examples];
      }
    }
  }
}
