import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import * as z from "zod";
import type { AdminCommand } from "../src/command.ts";
import { leafCommands } from "./leaf-commands.ts";

// docs/commands.md: every admin command, with the form of its JSON, generated from the descriptions, usage lines and
// schemas of the commands themselves.

/** The part of JSON Schema that the commands' schemas use. */
interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  description?: string;
}

const INTRODUCTION = `# Commands

The commands of \`gpu-offers-admin\`. Run \`gpu-offers-admin COMMAND --help\` for the options and examples of a command, and
see [Operations](operations.md) for tasks.

With \`--json\`, a command prints one JSON value on standard output. Its shape is shown below: names are in snake_case, a
field with \`?\` may be missing, and times are UTC in ISO 8601. \`<account create>\` is the shape shown there. New fields may be
added. Exit codes are listed in [Exit codes](errors.md#exit-codes).
`;

/** The text of docs/commands.md. */
async function describeCommands(): Promise<string> {
  const shapes = new ShapeWriter();
  const sections = (await leafCommands()).flatMap((leaf) => describe(leaf, shapes));
  return `${[INTRODUCTION.trimEnd(), ...sections].join("\n\n")}\n`;
}

function describe({ name, command }: { name: string; command: AdminCommand }, shapes: ShapeWriter): string[] {
  const json = command.output;
  return [
    `## ${name}`,
    command.description().replace(/\.?$/, "."),
    ...(command.usage() === "[options]" ? [] : [`    gpu-offers-admin ${name} ${command.usage()}`]),
    ...(json === undefined ? [] : [`JSON:\n\n\`\`\`text\n${shapes.write(toSchema(json), "", name)}\n\`\`\``]),
  ];
}

function toSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: "output", unrepresentable: "any", reused: "inline" }) as JsonSchema;
}

/** Formats schemas as TypeScript types. An object whose shape was written before is written as the name of that one. */
class ShapeWriter {
  /** Where each object of several fields stands, by its JSON Schema. */
  readonly #names = new Map<string, string>();

  /** @param name Where the schema stands: the command, and the fields that lead to it. */
  write(schema: JsonSchema, indent: string, name: string): string {
    if (schema.const !== undefined) {
      return JSON.stringify(schema.const);
    }
    if (schema.enum !== undefined) {
      return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
    }
    if (schema.anyOf !== undefined) {
      return schema.anyOf.map((option) => this.write(option, indent, name)).join(" | ");
    }
    if (schema.type === "array") {
      const item = this.write(schema.items ?? {}, indent, name);
      return item.includes(" | ") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
    }
    if (schema.type !== "object") {
      return [schema.type ?? "any"].flat().join(" | ");
    }
    if (schema.properties === undefined) {
      const values = typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
      return `{ [name]: ${this.write(values, indent, name)} }`;
    }
    return this.#writeObject(schema.properties, schema.required ?? [], indent, name);
  }

  #writeObject(fields: Record<string, JsonSchema>, required: readonly string[], indent: string, name: string): string {
    const key = JSON.stringify([fields, required]);
    const earlier = this.#names.get(key);
    if (earlier !== undefined) {
      return `<${earlier}>`;
    }
    if (Object.keys(fields).length > 2) {
      this.#names.set(key, name);
    }
    const lines = Object.entries(fields).map(([field, property]) => {
      const optional = required.includes(field) ? "" : "?";
      const line = `${indent}  ${field}${optional}: ${this.write(property, `${indent}  `, `${name}.${field}`)}`;
      if (property.description === undefined) {
        return line;
      }
      return line.includes("\n")
        ? `${indent}  # ${property.description}\n${line}`
        : `${line}  # ${property.description}`;
    });
    return `{\n${lines.join("\n")}\n${indent}}`;
  }
}

// `vitest run --project admin commands-document -u` regenerates the page.
test("docs/commands.md matches the commands", async () => {
  const page = fileURLToPath(new URL("../../../docs/commands.md", import.meta.url));
  await expect(await describeCommands()).toMatchFileSnapshot(page);
});
