import type { CallToolResult, McpServer, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type * as z from "zod";
import { AgentCatalogError } from "./agent-catalog.js";
import { ToolArgumentError, readArguments } from "./argument-error.js";

/** A tool: its schemas, and a function from validated arguments to its result. */
export interface Tool<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: Output;
  /** Problems of arguments that match the schema; those that don't are missing. Reported together with theirs. */
  check?: (input: Partial<z.output<Input>>) => Promise<readonly string[]>;
  /**
   * Runs with arguments that passed `check`.
   * @throws ToolArgumentError for other problems of the arguments.
   * @throws AgentCatalogError if the catalog can't be read.
   */
  run: (input: z.output<Input>) => Promise<z.input<Output>>;
}

/** Adds a tool to a server; `onError` receives errors that are not shown to the agent. */
export function addTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  server: McpServer,
  onError: (error: unknown) => void,
  { name, title, description, input, output, check, run }: Tool<Input, Output>,
): void {
  const config = {
    title,
    description,
    // Any arguments are accepted, and validated below: the SDK's message for an unknown argument doesn't suggest the
    // intended one.
    inputSchema: listed(input, (value) => ({ value })),
    outputSchema: listed(output, (value) => output["~standard"].validate(value)),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  };
  server.registerTool(name, config, async (value): Promise<CallToolResult> => {
    try {
      const { values, problems: unreadable } = readArguments(input, value);
      const problems = [...unreadable, ...((await check?.(values)) ?? [])];
      if (problems.length > 0) {
        throw new ToolArgumentError(problems);
      }
      const result = await run(values as z.output<Input>);
      return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: { ...result } };
    } catch (error) {
      if (error instanceof ToolArgumentError || error instanceof AgentCatalogError) {
        return { isError: true, content: [{ type: "text", text: error.message }] };
      }
      onError(error);
      return { isError: true, content: [{ type: "text", text: `${name} failed unexpectedly. Try again later.` }] };
    }
  });
}

type Validate = StandardSchemaWithJSON<unknown, unknown>["~standard"]["validate"];

/** A schema as listed by tools/list, without what costs tokens and says nothing. */
function listed(schema: z.ZodObject, validate: Validate): StandardSchemaWithJSON<unknown, unknown> {
  const { jsonSchema } = schema["~standard"];
  return {
    "~standard": {
      version: 1,
      vendor: "gpu-offers",
      validate,
      jsonSchema: {
        input: (options) => shortened(jsonSchema.input(options)),
        output: (options) => shortened(jsonSchema.output(options)),
      },
    },
  };
}

/** A JSON schema without its dialect, which is the protocol's default, the limits of exact numbers, and that keys are texts. */
function shortened(schema: Record<string, unknown>): Record<string, unknown> {
  const { $schema: _, ...rest } = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === "propertyNames" || (key === "maximum" && value === Number.MAX_SAFE_INTEGER) ? undefined : value,
  ) as Record<string, unknown>;
  return rest;
}
