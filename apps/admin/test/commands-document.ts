import type { Command } from "commander";
import * as z from "zod";
import { findUsage } from "../src/command-usage.ts";

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
field with \`?\` may be missing, and times are UTC in ISO 8601. New fields may be added. Exit codes are listed in
[Exit codes](errors.md#exit-codes).
`;

/** The text of docs/commands.md. */
export function describeCommands(program: Command): string {
  return `${[INTRODUCTION.trimEnd(), ...program.commands.flatMap((command) => describe(command, []))].join("\n\n")}\n`;
}

function describe(command: Command, parents: readonly string[]): string[] {
  const path = [...parents, command.name()];
  if (command.commands.length > 0) {
    return command.commands.flatMap((child) => describe(child, path));
  }
  const json = findUsage(command)?.json;
  return [
    `## ${path.join(" ")}`,
    command.description().replace(/\.?$/, "."),
    `    gpu-offers-admin ${path.join(" ")} ${command.usage()}`,
    ...(json === undefined ? [] : [`With \`--json\`:`, `\`\`\`text\n${shapeOf(toSchema(json), "")}\n\`\`\``]),
  ];
}

function toSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: "output", unrepresentable: "any", reused: "inline" }) as JsonSchema;
}

/** Formats a schema as a TypeScript type. */
function shapeOf(schema: JsonSchema, indent: string): string {
  if (schema.const !== undefined) {
    return JSON.stringify(schema.const);
  }
  if (schema.enum !== undefined) {
    return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  }
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((option) => shapeOf(option, indent)).join(" | ");
  }
  if (schema.type === "array") {
    const item = shapeOf(schema.items ?? {}, indent);
    return item.includes(" | ") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
  }
  if (schema.type !== "object") {
    return [schema.type ?? "any"].flat().join(" | ");
  }
  if (schema.properties === undefined) {
    const values = typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
    return `{ [name]: ${shapeOf(values, indent)} }`;
  }
  const lines = Object.entries(schema.properties).map(([name, property]) => {
    const optional = schema.required?.includes(name) === true ? "" : "?";
    const line = `${indent}  ${name}${optional}: ${shapeOf(property, `${indent}  `)}`;
    if (property.description === undefined) {
      return line;
    }
    return line.includes("\n") ? `${indent}  # ${property.description}\n${line}` : `${line}  # ${property.description}`;
  });
  return `{\n${lines.join("\n")}\n${indent}}`;
}
