import * as z from "zod";

/**
 * Location of an offer: its `regionInfo`. An unknown region has countryCode `ZZ` and countryName `Unknown`; its continent is
 * `Unknown`, too, unless the provider states it.
 */
export const regionInfoSchema = z
  .object({
    countryCode: z.string().max(2000).describe("ISO 3166-1 alpha-2 code, or ZZ if the region is unknown."),
    countryName: z.string().max(2000).describe("English name of the country, or Unknown."),
    cityState: z.string().max(2000).describe("City or state, as named by the provider; may be empty."),
    continent: z.string().max(2000).describe("One of the seven continents, or Unknown."),
  })
  .meta({ id: "RegionInfo", description: "Location of an offer." });
export type RegionInfo = z.output<typeof regionInfoSchema>;
