import { compareOffers, type ComparedFact, type Offer } from "@gpu-offers/domain";
import {
  COMPARED_NAMES,
  comparedDistance,
  comparedText,
  gpuText,
  offerFacts,
  placeText,
  printable,
  sampleLine,
} from "@gpu-offers/list";
import { balanceFor } from "../catalog/read-source.js";
import { EXIT, Failure } from "../exit-codes.js";
import { formatList, formatOne, gridOf, type Grid } from "../output/formats.js";
import { recordOf, type RecordOptions } from "../output/result.js";
import { getOffer } from "./first-command.js";
import type { Printer } from "./source-choice.js";

// Subcommands for offers by id. Ids come from --list or the picker's `y`.

async function recordOptions({ source, flags }: Printer): Promise<RecordOptions> {
  const [balance, { pricesAsOf }] = await Promise.all([balanceFor(source, flags.budget), source.readAge()]);
  return { diskGb: flags.disk, balance, pricesAsOf };
}

/** `show <id>`: all facts about an offer. */
export async function showText(printer: Printer, [id = ""]: readonly string[]): Promise<string> {
  const options = await recordOptions(printer);
  const offer = await getOffer(printer.source, id);
  const facts = offerFacts(offer, { ...options, stated: offer.listing });
  return formatOne(printer.format, recordOf(offer, options), () =>
    gridOf(facts, [
      ["FACT", ([name]) => name],
      ["VALUE", ([, value]) => value],
    ]),
  );
}

/**
 * `compare <id> <id> ...`: a column per offer, with differences first.
 * @throws Failure if there are fewer than two offers, or if one doesn't exist.
 */
export async function compareText(printer: Printer, ids: readonly string[]): Promise<string> {
  const { source, format, notify } = printer;
  const { diskGb, balance, pricesAsOf } = await recordOptions(printer);
  if (new Set(ids).size < 2) {
    throw new Failure(EXIT.usage, "compare requires two or more different ids.");
  }
  const offers = await Promise.all([...new Set(ids)].map((id) => getOffer(source, id)));
  notify(sampleLine(offers, await source.readAge()));
  const facts = compareOffers(offers, {
    diskGb,
    balance,
    pricesAsOf: ({ provider }) => pricesAsOf?.get(provider.name),
  });
  const grid = (): Grid => comparisonGrid(offers, facts);
  if (format === "csv") {
    // A column per offer: a cell holds one value.
    const rows = facts.map(({ key, unit, values }) => ({
      fact: key,
      unit,
      ...Object.fromEntries(offers.map((offer, index) => [offer.id, values[index] ?? null])),
    }));
    return formatList(format, rows, grid);
  }
  const same = facts
    .filter(({ differs }) => !differs)
    .map((fact) => `${COMPARED_NAMES[fact.key]} ${comparedText(fact, offers, 0)}`);
  const note = format !== "table" || same.length === 0 ? "" : `\nsame: ${same.join(", ")}\n`;
  return formatList(format, facts, grid) + note;
}

function comparisonGrid(offers: readonly Offer[], facts: readonly ComparedFact[]): Grid {
  return {
    titles: ["", ...offers.map((offer) => gpuText(offer))],
    aligns: ["left", ...offers.map(() => "left" as const)],
    rows: [
      ["", ...offers.map((offer) => `${printable(offer.provider.name)} ${placeText(offer)}`)],
      ...facts
        .filter(({ differs }) => differs)
        .map((fact) =>
          [COMPARED_NAMES[fact.key]].concat(
            fact.values.map((_, index) => comparedText(fact, offers, index) + comparedDistance(fact, index)),
          ),
        ),
    ],
  };
}
