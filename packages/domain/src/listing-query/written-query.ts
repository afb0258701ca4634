import type { LISTING_PARAMETERS, ListingParameterName } from "./listing-parameters.js";
import type { ListListingsQuery } from "./listing-query-schema.js";
import type { QuantityKind } from "../text/quantity.js";

// The listing query as programs write it, typed by the table of parameters. Comments of its fields are those of the schema.

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
