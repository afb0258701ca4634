import type { KindValues, ListingParameter } from "./listing-parameter.js";
import { LISTING_PARAMETER_NAMES } from "./listing-parameter-names.js";
import { LISTING_PARAMETERS, type ListingParameterName } from "./listing-parameters.js";
import * as z from "zod";
import { LISTING_PARAMETER_DOCS, type ListingParameterDocs } from "./listing-parameter-docs.js";
import { MAX_NAMES, MAX_PARAMETER_LENGTH, readParameter } from "./read-parameter.js";
import { launchQuerySchema } from "../offer/listing-schema.js";
import { PRICE_DECIMALS } from "../money/money.js";
import { DEFAULT_PAGE_SIZE, MAX_PARAMETER_INTEGER } from "../page-size.js";
import { checkQuantity, isQuantity, type QuantityKind } from "../text/quantity.js";
import { MODEL_NEED_PATTERN } from "../text/model-need.js";
import { plainPattern } from "../text/plain-text.js";
import { queryTextSchema } from "../text/query-text-schema.js";

// The listing query as schemas, made from the table of parameters: over the texts of a URL, and over the JSON values of
// agents' arguments.

type Shape = Record<string, z.ZodType>;

const ITEM = String.raw`\s*[^,\s][^,]*`;

const DEFAULTS = { page: 0, size: DEFAULT_PAGE_SIZE };

/** Typed value of a parameter. */
type ListingParameterValue<Name extends ListingParameterName> = ValueOf<(typeof LISTING_PARAMETERS)[Name]>;

type ValueOf<Row extends ListingParameter> = Row extends { kind: "choice"; values: readonly (infer Choice)[] }
  ? Choice
  : Row extends { kind: "choices"; values: readonly (infer Choice)[] }
    ? Choice[]
    : Row extends { kind: "names" | "regions" }
      ? string[]
      : KindValues[Row["kind"]];

/**
 * Query parameters of `GET /api/v2/listings`, from the texts of a URL (a repeated parameter as an array) to typed values.
 * Strict: an unknown name, a repeated one or an invalid value is an issue, and all issues are reported together. Names are
 * resolved afterwards: see `resolveListingQuery`.
 */
export const listingQuerySchema = z.strictObject(
  Object.fromEntries(LISTING_PARAMETER_NAMES.map((name) => [name, textSchema(name)])),
  // The table of parameters has these types.
) as unknown as z.ZodObject<{
  [Name in ListingParameterName]: Name extends keyof typeof DEFAULTS
    ? z.ZodDefault<z.ZodType<ListingParameterValue<Name>, string>>
    : z.ZodOptional<z.ZodType<ListingParameterValue<Name>, string>>;
}>;

const { os_image_id, ceiling, top, nodes } = launchQuerySchema.shape;

/** Query parameters of `GET /api/v2/plan`: a query of listings, and what is chosen of its best match. */
export const planQuerySchema = listingQuerySchema
  .omit({ page: true, size: true })
  .extend({ os_image_id, ceiling, top, nodes });
export type PlanQuery = z.output<typeof planQuerySchema>;

/** Query parameters with typed values. */
export type ListListingsQuery = z.output<typeof listingQuerySchema>;

/** A query of listings with typed values, by the names of the HTTP API. What is undefined has no effect. */
export type ListingQuery = ReadonlyLists<Omit<ListListingsQuery, keyof typeof DEFAULTS>> & {
  /** Page number, 0-indexed; default: 0. */
  page?: number | undefined;
  /** Listings in a page, 1 to 100; default: 25. */
  size?: number | undefined;
};

type ReadonlyLists<Query> = {
  [Name in keyof Query]: Query[Name] extends (infer Item)[] | undefined ? readonly Item[] | undefined : Query[Name];
};

// The query as programs write it, typed by the table of parameters. Comments of its fields are those of the schema.

type WithUnit<Unit extends string> = `${number}${"" | " "}${Unit | Uppercase<Unit>}` | `${number}`;

/** Amounts with their units, which {@link readQuantity} reads. */
interface QuantityTexts extends Record<QuantityKind, string> {
  count: `${number}`;
  index: `${number}`;
  gb: WithUnit<"g" | "gb" | "GiB" | "t" | "tb" | "TiB">;
  bandwidth: WithUnit<"GB/s" | "TB/s">;
  usd: `${"" | "$"}${number}${"" | "/h" | "/hr" | "/hour"}` | `${number}${"" | " "}${"usd" | "USD"}` | `${number}$`;
  hours: WithUnit<"h" | "d" | "w">;
}

type Texts<Choice extends string> = Choice | `${Choice},${Choice}` | `${Choice},${Choice},${Choice}`;

type Written<Row> = Row extends { kind: infer Kind extends QuantityKind }
  ? number | QuantityTexts[Kind]
  : Row extends { kind: "boolean" }
    ? boolean | "true" | "false"
    : Row extends { kind: "names" | "regions" }
      ? string | readonly string[]
      : Row extends { kind: "choice"; values: readonly (infer Choice extends string)[] }
        ? Choice | Extract<boolean, Choice extends `${infer Value extends boolean}` ? Value : never>
        : Row extends { kind: "choices"; values: readonly (infer Choice extends string)[] }
          ? Texts<Choice> | readonly Choice[]
          : Row extends { form: unknown }
            ? string | number
            : string;

/**
 * A query of listings by the names of its parameters, with values as a URL has them: `gpu: "h100,h200"`, `disk: "1TB"`,
 * `max_price: "$2"`, or typed: numbers, booleans, and lists.
 */
export type WrittenQuery = {
  [Name in keyof ListListingsQuery]?: Name extends ListingParameterName
    ? Written<(typeof LISTING_PARAMETERS)[Name]> | undefined
    : never;
};

/** Arguments of agents by their names, as JSON values. What is omitted has the default of the tool, else no effect. */
export function listingArgumentShape(defaults: ListingQuery = {}): Shape {
  const shape: Shape = {};
  for (const name of LISTING_PARAMETER_NAMES) {
    const { argument } = LISTING_PARAMETERS[name];
    const { hint }: ListingParameterDocs = LISTING_PARAMETER_DOCS[name];
    if (argument !== null) {
      const schema = valueSchema(name);
      const described = hint === undefined ? schema : schema.describe(hint);
      // A JSON schema leaves out a default() of what is read before it is validated, as choices are, but not a prefault().
      shape[argument] = defaults[name] === undefined ? described.optional() : described.prefault(defaults[name]);
    }
  }
  return shape;
}

function textSchema(name: ListingParameterName): z.ZodType {
  const { description, examples } = LISTING_PARAMETER_DOCS[name];
  const read = queryTextSchema()
    .transform((text, context) => {
      const result = readParameter(name, text);
      if (result.ok) {
        return result.value;
      }
      context.issues.push({ code: "custom", message: result.reason, input: text });
      return z.NEVER;
    })
    .pipe(valueSchema(name));
  return (name === "page" || name === "size" ? read.default(DEFAULTS[name]) : read.optional()).meta({
    description,
    examples: [...examples],
    ...textForm(LISTING_PARAMETERS[name]),
  });
}

/** What the text of a parameter must be, for the OpenAPI document. */
function textForm({ kind, form, named, values = [], maximum = MAX_PARAMETER_INTEGER }: ListingParameter): object {
  if (isQuantity(kind)) {
    // The least that programs write without an exponent.
    return { ...(kind === "usd" && { minimum: 0.0001 }), maximum };
  }
  const text = { minLength: 1, maxLength: MAX_PARAMETER_LENGTH };
  switch (kind) {
    case "text":
      return { ...text, pattern: named === "grammar" ? MODEL_NEED_PATTERN : (form?.pattern.source ?? plainPattern()) };
    case "names":
    case "regions":
      return { ...text, pattern: plainPattern(`${ITEM}(?:,${ITEM})*`) };
    case "choices":
      return { ...text, pattern: `^(?:${values.join("|")})(?:,(?:${values.join("|")}))*$` };
    case "boolean":
    case "choice":
      return {};
  }
}

/** Values of a parameter after reading, and in JSON. */
function valueSchema(name: ListingParameterName): z.ZodType {
  const { kind, form, values = [], maximum }: ListingParameter = LISTING_PARAMETERS[name];
  if (isQuantity(kind)) {
    return quantitySchema(kind, maximum);
  }
  const text = z
    .string()
    .refine(
      ({ length }) => length >= 1 && length <= MAX_PARAMETER_LENGTH,
      `must have 1 to ${MAX_PARAMETER_LENGTH} characters`,
    );
  switch (kind) {
    case "text":
      return form === undefined ? text : text.refine((value) => form.pattern.test(value), form.reason);
    case "names":
    case "regions":
      return z
        .array(text)
        .min(1)
        .refine(({ length }) => length <= MAX_NAMES, `must have at most ${MAX_NAMES} items`);
    case "boolean":
      return z.boolean();
    case "choice":
      return choiceSchema(values);
    case "choices":
      return z.array(z.enum(values)).min(1);
  }
}

/** One of some texts; agents write `true` without quotes. */
export function choiceSchema<const Value extends string>(values: readonly Value[]): z.ZodType<Value, Value> {
  const textOf = (value: unknown): unknown => (typeof value === "boolean" ? String(value) : value);
  return z.preprocess<unknown, z.ZodEnum<Record<Value, Value>>, Value>(textOf, z.enum(values));
}

/** Limits that agents would not ask beyond are checked without being part of the JSON schema, which costs tokens. */
function quantitySchema(kind: QuantityKind, maximum: number | undefined): z.ZodType {
  if (kind === "usd") {
    return z.number().positive().refine(isAmount, `must be an amount with at most ${PRICE_DECIMALS} decimals`);
  }
  const number = kind === "bandwidth" ? z.number() : z.int();
  const bounded = number.min(kind === "count" || kind === "hours" ? 1 : 0);
  return maximum === undefined
    ? bounded.refine((value) => value <= MAX_PARAMETER_INTEGER, `must be at most ${MAX_PARAMETER_INTEGER}`)
    : bounded.max(maximum);
}

function isAmount(value: number): boolean {
  return value <= 0 || checkQuantity("usd", value).ok;
}
