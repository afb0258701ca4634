import * as z from "zod";
import type { LiveReply, LiveRequest } from "./live-source.js";
import { optionalPart, type OptionalPart } from "./optional-part.js";
import { bodyOf, listOf } from "./response.js";

// The file behind https://aws.amazon.com/ec2/spot/pricing/, for all regions. It is not documented and may change or go, so
// prices on demand don't depend on it.

export const AWS_SPOT_HOST = "website.spot.ec2.aws.a2z.com";

const PART = "spot";

const bodySchema = z.object({
  config: z.object({
    rate: z.literal("perhr"),
    regions: z.array(
      z.object({
        region: z.string(),
        instanceTypes: listOf(
          z.object({
            sizes: listOf(
              z.object({
                size: z.string(),
                valueColumns: listOf(z.object({ name: z.string(), prices: z.object({ USD: z.string().nullish() }) })),
              }),
            ),
          }),
        ),
      }),
    ),
  }),
});

/** `0.3555` or `9.0E-4`; `N/A*` is no price. */
const PRICE = /^\d{1,6}(?:\.\d{1,12})?(?:E-\d)?$/;

/** The request for the spot prices of all regions. */
export const awsSpotRequest: LiveRequest = {
  part: PART,
  main: false,
  optional: true,
  method: "GET",
  url: `https://${AWS_SPOT_HOST}/spot.json`,
};

/** Spot prices of Linux in USD per hour of the whole instance, by region and instance type: `us-east-1 p5.48xlarge`. */
export function awsSpotPrices(replies: readonly LiveReply[]): OptionalPart<ReadonlyMap<string, number>> {
  return optionalPart(replies, PART, "Spot prices", (responses) => {
    const regions = responses.flatMap((response) => bodyOf(response, bodySchema).config.regions);
    return new Map(
      regions.flatMap(({ region, instanceTypes }) =>
        instanceTypes
          .flatMap(({ sizes }) => sizes)
          .flatMap(({ size, valueColumns }) => {
            const linux = valueColumns.find(({ name }) => name === "linux")?.prices.USD ?? "";
            return PRICE.test(linux) ? [[`${region} ${size}`, Number(linux)] as const] : [];
          }),
      ),
    );
  });
}
