import { describe, expect, test } from "vitest";
import { continentsCalled, countriesCalled, nearNames, providersCalled } from "../index.js";

const known = (...values: string[]) => ({ kind: "known", values });
const unknown = (...nearest: string[]) => ({ kind: "unknown", nearest });

describe("the name of a continent", () => {
  test.each([
    ["EU", known("Europe")],
    ["europe", known("Europe")],
    ["North America", known("North America")],
    ["north-america", known("North America")],
    ["na", known("North America")],
    ["americas", known("North America", "South America")],
    ["apac", known("Asia", "Oceania")],
    ["eruope", unknown("Europe")],
    ["emea", unknown()],
    ["germany", unknown()],
    ["", unknown()],
  ])("%j is %j", (name, meant) => {
    expect(continentsCalled(name)).toEqual(meant);
  });
});

describe("the name of a country", () => {
  test.each([
    ["NO", known("NO")],
    ["norway", known("NO")],
    ["UK", known("GB")],
    ["United Kingdom", known("GB")],
    ["usa", known("US")],
    ["united states", known("US")],
    ["sa", known("SA")],
    ["na", known("NA")],
    ["Holland", known("NL")],
    ["korea", known("KR")],
    ["nordics", known("DK", "FI", "IS", "NO", "SE")],
    ["Türkiye", known("TR")],
    ["turkey", known("TR")],
    ["Bosnia and Herzegovina", known("BA")],
    ["bosnia & herzegovina", known("BA")],
    ["Ivory Coast", known("CI")],
    ["Côte d’Ivoire", known("CI")],
    ["The Gambia", known("GM")],
    ["Saint Lucia", known("LC")],
    ["St. Lucia", known("LC")],
    ["Andorra", known("AD")],
    ["eu", known(..."AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "))],
    ["europe", unknown()],
    ["germny", unknown("Germany")],
    ["zz", unknown()],
    ["", unknown()],
  ])("%j is %j", (name, meant) => {
    expect(countriesCalled(name)).toEqual(meant);
  });
});

describe("the name of a provider", () => {
  const providers = ["aws", "lambda", "runpod", "vast", "verda", "do", "hyperstack"];
  test.each([
    ["AWS", known("aws")],
    ["Amazon", known("aws")],
    ["RunPod", known("runpod")],
    ["run pod", known("runpod")],
    ["Lambda Labs", known("lambda")],
    ["vast.ai", known("vast")],
    ["DataCrunch", known("verda")],
    ["DigitalOcean", known("do")],
    ["hyperstck", unknown("hyperstack")],
    ["google", unknown()],
    ["", unknown()],
  ])("%j is %j", (name, meant) => {
    expect(providersCalled(name, providers)).toEqual(meant);
  });
});

describe("near names", () => {
  test("start with the text, or differ in at most a third of it, closest first", () => {
    const names = ["H100", "H200", "A100", "RTX 4090", "hyperstack", "norway-1", "norway-2"];
    expect(nearNames("norw", names)).toEqual(["norway-1", "norway-2"]);
    expect(nearNames("h10", names)).toEqual(["H100"]);
    expect(nearNames("h010", names)).toEqual(["H100"]);
    expect(nearNames("rtx-4091", names)).toEqual(["RTX 4090"]);
    expect(nearNames("zz", names)).toEqual([]);
    expect(nearNames("hy", names)).toEqual(["hyperstack"]);
    expect(nearNames(" - ", names)).toEqual([]);
  });
});
