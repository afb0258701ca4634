import type { OpenAPIObject } from "@nestjs/swagger";
import { ERROR_CODES, ERRORS } from "@gpu-offers/domain";

// Nest repeats responses and header parameters in each operation. This moves them to shared components.

type Json = Record<string, unknown>;

/** Shared components by kind and name. */
class Components {
  readonly #byKind: Readonly<Record<"responses" | "headers" | "parameters", Map<string, string>>> = {
    responses: new Map(),
    headers: new Map(),
    parameters: new Map(),
  };

  /** A reference to the component of this name, or the value itself if a different one has the name. */
  share(kind: "responses" | "headers" | "parameters", name: string, value: unknown): unknown {
    const text = JSON.stringify(value);
    const known = this.#byKind[kind].get(name);
    if (known !== undefined && known !== text) {
      return value;
    }
    this.#byKind[kind].set(name, text);
    return { $ref: `#/components/${kind}/${name}` };
  }

  addTo(document: OpenAPIObject): void {
    const components: Json = { ...document.components };
    for (const [kind, values] of Object.entries(this.#byKind)) {
      components[kind] = Object.fromEntries([...values].map(([name, text]) => [name, JSON.parse(text) as Json]));
    }
    document.components = components;
  }
}

/** Moves what operations have in common to the document's components. */
export function shareComponents(document: OpenAPIObject): OpenAPIObject {
  const components = new Components();
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item as Record<string, Json>)) {
      const responses = operation["responses"] as Record<string, Json>;
      for (const [status, response] of Object.entries(responses)) {
        const shared = { ...response, headers: shareHeaders(response["headers"] as Json | undefined, components) };
        const name = nameOfResponse(Number(status), response);
        responses[status] = name === undefined ? shared : (components.share("responses", name, shared) as Json);
      }
      operation["parameters"] = ((operation["parameters"] ?? []) as Json[]).map((parameter) =>
        parameter["in"] === "header"
          ? components.share("parameters", String(parameter["name"]).replaceAll("-", ""), parameter)
          : parameter,
      );
    }
  }
  components.addTo(document);
  return document;
}

function shareHeaders(headers: Json | undefined, components: Components): Json {
  return Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, header]) => [name, components.share("headers", name, header)]),
  );
}

/** Component name such as `InvalidParameter`, from the error's code, or from its message if a code has several. */
function nameOfResponse(status: number, response: Json): string | undefined {
  if (status === 304) {
    return "NotModified";
  }
  const example = (response["content"] as Record<string, { example?: Json }> | undefined)?.["application/json"]
    ?.example;
  const code = ERROR_CODES.find((known) => known === example?.["code"] && ERRORS[known].status === status);
  return code && pascal(code === "not_found" ? String(example?.["message"]) : code);
}

function pascal(text: string): string {
  return text.replaceAll(
    /[^A-Za-z]*([A-Za-z])([A-Za-z]*)[^A-Za-z]*/g,
    (_, first: string, rest: string) => first.toUpperCase() + rest,
  );
}
