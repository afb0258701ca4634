import {
  Injectable,
  Query,
  SetMetadata,
  type ArgumentMetadata,
  type CanActivate,
  type ExecutionContext,
  type PipeTransform,
} from "@nestjs/common";
import { Reflector } from "@nestjs/core";
import { present, unknownParameter } from "@gpu-offers/domain";
import type { FastifyRequest } from "fastify";
import * as z from "zod";
import { invalidParameters, type ParameterProblem } from "../wire/api-error.js";
import { echo, QueryParameters, type ReadParameters } from "./query-parameters.js";

const noParametersSchema = z.strictObject({});

const TAKES_QUERY = "gpu-offers:takes-query";

/** Handler parameter: the query, validated with a schema. An operation without one takes no parameters. */
export const ValidQuery =
  (schema: z.ZodObject) =>
  (controller: object, operation: string, index: number): void => {
    const handler = Object.getOwnPropertyDescriptor(controller, operation);
    Query({ schema })(controller, operation, index);
    SetMetadata(TAKES_QUERY, true)(controller, operation, present(handler));
  };

/** Validates the query of an operation with the schema of its {@link ValidQuery}, and reports all problems at once. */
@Injectable()
export class ParametersPipe implements PipeTransform {
  transform(value: unknown, { schema }: ArgumentMetadata): unknown {
    if (!(value instanceof QueryParameters)) {
      return value;
    }
    if (!(schema instanceof z.ZodObject)) {
      throw new TypeError("A handler with a query parameter must have a zod object schema for it.");
    }
    return check(value.read(), schema);
  }
}

/** Rejects all parameters of an operation without a {@link ValidQuery}. */
@Injectable()
export class NoParametersGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): true {
    if (this.reflector.get<true | undefined>(TAKES_QUERY, context.getHandler()) === undefined) {
      rejectParameters(context.switchToHttp().getRequest<FastifyRequest>());
    }
    return true;
  }
}

/** Rejects all parameters of a request. @throws ApiError invalid_parameter. */
export function rejectParameters({ query }: FastifyRequest): void {
  if (query instanceof QueryParameters && query.text !== "") {
    check(query.read(), noParametersSchema);
  }
}

function check({ values, problems: unreadable }: ReadParameters, schema: z.ZodObject): object {
  const result = schema.safeParse(values);
  if (result.success && unreadable.length === 0) {
    return result.data;
  }
  // A parameter that can't be read is not missing as well.
  const unread = new Set(unreadable.map(({ name }) => name));
  const isToldAlready = ({ path: [name] }: z.core.$ZodIssue): boolean =>
    typeof name === "string" && values[name] === undefined && unread.has(name);
  const issues = result.success ? [] : result.error.issues.filter((issue) => !isToldAlready(issue));
  const known = Object.keys(schema.shape);
  const count = unreadable.length + issues.reduce((sum, issue) => sum + problemsIn(issue), 0);
  const problems: ParameterProblem[] = unreadable.slice(0, MAX_PROBLEMS);
  for (const issue of issues) {
    // Only the listed ones are explained: a query may have thousands.
    problems.push(...explain(issue, values, known, MAX_PROBLEMS - problems.length));
  }
  throw invalidParameters(problems, count);
}

const MAX_PROBLEMS = 20;

function problemsIn(issue: z.core.$ZodIssue): number {
  return issue.code === "unrecognized_keys" ? issue.keys.length : 1;
}

/** At most `limit` problems of an issue. */
function explain(
  issue: z.core.$ZodIssue,
  values: ReadParameters["values"],
  known: readonly string[],
  limit: number,
): ParameterProblem[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, limit).map((key) => ({
      name: echo(key),
      reason:
        known.length === 0 ? "is unknown; this operation takes no parameters" : unknownParameter(echo(key), known),
    }));
  }
  if (limit === 0) {
    return [];
  }
  const name = String(issue.path[0] ?? "");
  const given = values[name];
  return [{ name, reason: issue.message, ...(typeof given === "string" && { got: JSON.stringify(echo(given)) }) }];
}
