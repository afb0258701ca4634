import { limitTerms, limitText, priceText } from "./search-amounts.js";
import { MACHINE } from "./search-limits.js";
import type { SearchField, SearchTerm, SearchWishes } from "./search-term.js";
import { MAX_COUNT } from "./search-unit.js";
import type { Unit } from "./search-word-run.js";
import { parseModelNeed, weightsDiskGb } from "../text/model-need.js";

// What a unit of a search means beside the others.

/** What a limit for some time must allow for each hour; a smaller one is an hour's. A larger one than the second never is. */
const LEAST_HOURLY_USD = 0.2;
const MOST_HOURLY_USD = 20;

const WHOLE = new RegExp(`\\b${MACHINE}$`);

/** Settles a unit by the others: whose price it is, whether it is a budget, and the disk for a model's weights. */
export function settledIn(units: readonly Unit[]): (unit: Unit) => Unit {
  const isSeveral = units.some(({ kind, terms }) => kind !== "not" && terms.some(isSeveralGpus));
  const isCounted = units.some(({ terms }) =>
    terms.some((term) => term.kind === "compare" && term.field === "gpuCount"),
  );
  const isWhole = units.some(({ as = "" }) => WHOLE.test(as));
  const isTimed = units.some(({ isFor }) => isFor === "time");
  const { hours, fits = "" } = Object.assign({}, ...units.map(({ wishes }) => wishes)) as SearchWishes;
  const model = parseModelNeed(fits);
  return (unit) => {
    const { price, isFor, wishes } = unit;
    if (isFor === "weights" && model.ok) {
      const diskGb = weightsDiskGb(model.need);
      const limits = [{ operator: ">=", value: diskGb }] as const;
      const as = `${limitText("disk", limits)}, for its weights and a fifth more`;
      return { ...unit, terms: limitTerms("disk", limits), wishes: { diskGb }, as, doubt: undefined };
    }
    // A model runs on the whole machine, and a time is paid for it.
    if (wishes?.sortBy === "pricePerGpu" && wishes.sortOrder === undefined && (model.ok || hours !== undefined)) {
      return { ...unit, as: "cheapest machine first", wishes: { sortBy: "total" } };
    }
    if (price === undefined) {
      return unit;
    }
    const { limits, per, isMoney, isLimited, isExact } = price;
    const read = (field: SearchField, doubt?: string, instead?: string): Unit => ({
      ...unit,
      terms: limitTerms(field, limits),
      as: limitText(field, limits),
      doubt,
      instead,
    });
    const [{ operator, value } = { operator: "<=", value: 0 }] = limits;
    const isMost = limits.length === 1 && !operator.startsWith(">");
    const isBudget = price.isBudget || (isTimed && isMost && isMoney && per === undefined);
    const isTotal = isBudget || per === "total";
    const isForTime = isMost && !isExact && isMoney && hours !== undefined;
    // "$50 for the weekend" is a sum; "under $2 for 3 days" is an hour's price.
    const isHourly = isForTime && per === undefined && isLimited && !isBudget && value < LEAST_HOURLY_USD * hours;
    if (isHourly && !isSeveral) {
      return read("pricePerGpu", "for an hour, although a time is given", "… in total");
    }
    if (isMost && (per ?? "total") === "total" && !isExact && (isBudget || (isForTime && !isHourly))) {
      const isClear = isTotal || !isLimited || (value > MOST_HOURLY_USD && !isSeveral);
      const [time, doubt] =
        hours === undefined
          ? ["", isTimed ? undefined : "for one hour, because no time is given"]
          : [` for ${hours} hours`, isClear ? undefined : "for all of the time"];
      const as = `budget ${priceText(value)}${time}`;
      const instead = isTotal ? undefined : "…/hr";
      return { ...unit, kind: "wish", terms: [], wishes: { budgetUsd: value }, as, doubt, instead };
    }
    if (per === "hour" ? isSeveral || isBudget || isWhole : per === undefined && isWhole && (isMoney || isSeveral)) {
      const doubt = isSeveral ? "the machine has several GPUs" : isBudget ? undefined : "of the whole machine";
      return read("priceHourly", doubt, "… per gpu");
    }
    if (per === undefined && isSeveral) {
      return read("pricePerGpu", "of one GPU, although the machine has several", "… in total");
    }
    if (per !== undefined || isMoney || isExact || !price.isWhole) {
      return unit;
    }
    // "h100 min 4", "h100 max 4"; but "h100 under 4" is a price.
    const isBeside = units.some(({ kind, to }) => kind === "gpu" && (!isMost || (to === unit.from && !isCounted)));
    return isBeside && limits.length === 1 && operator !== "<" && value <= MAX_COUNT
      ? { ...read("gpuCount", "a number without a unit", "… usd"), kind: "count" }
      : read("pricePerGpu", "a price, because it has no unit", value > MAX_COUNT ? "… gb" : "… gpus");
  };
}

/** Whether a condition leaves machines of several GPUs alone. */
function isSeveralGpus(term: SearchTerm): boolean {
  if (term.kind === "all" || term.kind === "any") {
    return term.kind === "all" ? term.terms.some(isSeveralGpus) : term.terms.every(isSeveralGpus);
  }
  return (
    term.kind === "compare" &&
    term.field === "gpuCount" &&
    (term.operator === ">" ? term.value > 0 : !term.operator.startsWith("<") && term.value > 1)
  );
}
