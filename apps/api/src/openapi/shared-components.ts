import { isDeepStrictEqual } from "node:util";
import type { OpenAPIObject } from "@nestjs/swagger";
import { ERROR_CODES, ERRORS } from "@gpu-offers/domain";

// Nest repeats responses and header parameters in each operation. This moves them to shared components.

type Json = Record<string, unknown>;

type Kind = "responses" | "headers" | "parameters";

/** Moves what operations have in common to the document's components. */
export function shareComponents(document: OpenAPIObject): OpenAPIObject {
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
