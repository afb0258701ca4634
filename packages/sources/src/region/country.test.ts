import { countriesCalled } from "@gpu-offers/domain";
import { expect, test } from "vitest";
import { regionInCountry } from "./country.js";

const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
const codes = letters.flatMap((first) => letters.map((second) => first + second));

test("every country name of an offer is known to filters by country", () => {
  const named = codes.flatMap((code) => regionInCountry(code, "") ?? []);
  expect(named.length).toBeGreaterThan(240);
  const unknown = named.filter(({ countryCode, countryName }) => {
    const found = countriesCalled(countryName);
    return found.kind === "unknown" || found.values.join() !== countryCode;
  });
  expect(unknown.map(({ countryCode, countryName }) => `${countryCode} ${countryName}`)).toEqual([]);
});
