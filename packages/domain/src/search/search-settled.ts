import { limitTerms, limitText, priceText } from "./search-amounts.js";
import type { SearchTerm, SearchWishes } from "./search-term.js";
import { MAX_COUNT } from "./search-unit.js";
import type { Unit } from "./search-word-run.js";
import { parseModelNeed, weightsDiskGb } from "../text/model-need.js";

// What a unit of a search means beside the others.

/** What a limit for some time must allow for each hour; a smaller one is an hour's. A larger one than the second never is. */
const LEAST_HOURLY_USD = 0.2;
const MOST_HOURLY_USD = 20;

/** Settles a unit by the others: whose price it is, whether it is a budget, and the disk for a model's weights. */
export function settledIn(units: readonly Unit[]): (unit: Unit) => Unit {
  const isSeveral = units.some(({ kind, terms }) => kind !== "not" && terms.some(isSeveralGpus));
  const { hours, fits = "" } = Object.assign({}, ...units.map(({ wishes }) => wishes)) as SearchWishes;
  const model = parseModelNeed(fits);
  return (unit) => {
    const { price, wishes } = unit;
    if (unit.isForWeights === true && model.ok) {
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
    const { limits, per, isBudget, isMoney, isLimited, isExact, isWhole } = price;
    const [{ operator, value } = { operator: "<=", value: 0 }] = limits;
    const isMost = limits.length === 1 && !operator.startsWith(">");
    const isTotal = isBudget || per === "total";
    const isForTime = isMost && !isExact && isMoney && hours !== undefined;
    // "$50 for the weekend" is a sum; "under $2 for 3 days" is an hour's price.
    const isHourly = isForTime && per === undefined && isLimited && !isBudget && value < LEAST_HOURLY_USD * hours;
    const ofGpu = limitText("pricePerGpu", limits);
    if (isHourly && !isSeveral) {
      return { ...unit, as: ofGpu, doubt: "for an hour, although a time is given", instead: "… in total" };
    }
    if (isMost && (per ?? "total") === "total" && !isExact && (isBudget || (isForTime && !isHourly))) {
      const isClear = isTotal || !isLimited || (value > MOST_HOURLY_USD && !isSeveral);
      const [time, doubt] =
        hours === undefined
          ? ["", "for one hour, because no time is given"]
          : [` for ${hours} hours`, isClear ? undefined : "for all of the time"];
      const as = `budget ${priceText(value)}${time}`;
      const instead = isTotal ? undefined : "…/hr";
      return { ...unit, kind: "wish", terms: [], wishes: { budgetUsd: value }, as, doubt, instead };
    }
    if (per === "hour" && (isSeveral || isBudget)) {
      const doubt = isSeveral ? "the machine has several GPUs" : undefined;
      const terms = limitTerms("priceHourly", limits);
      return { ...unit, terms, as: limitText("priceHourly", limits), doubt, instead: "… per gpu" };
    }
    if (per === undefined && isSeveral) {
      return { ...unit, as: ofGpu, doubt: "of one GPU, although the machine has several", instead: "… in total" };
    }
    const isPlain = per === undefined && !isMoney && !isExact && isWhole;
    const isCount = isPlain && limits.length === 1 && !isMost && value <= MAX_COUNT;
    if (isCount && units.some(({ kind }) => kind === "gpu")) {
      const terms = limitTerms("gpuCount", limits);
      const doubt = "a number without a unit";
      return { ...unit, kind: "count", terms, as: limitText("gpuCount", limits), doubt, instead: "… usd" };
    }
    return isPlain ? { ...unit, doubt: "a price, because it has no unit", instead: "… gpus" } : unit;
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
