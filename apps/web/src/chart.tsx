import type { FunctionComponent } from "preact";
import type { PriceHistory } from "@gpu-offers/domain";
import { usdText } from "@gpu-offers/list";

// A step line of the prices of an offer over time, as SVG. The same is said in a sentence and a table beside it.

type Prices = PriceHistory["prices"];

const WIDTH = 360;
const HEIGHT = 110;
const LEFT = 58;
const RIGHT = WIDTH - 4;
const BASE = 92;
const TOP = 8;

/** A sentence about prices: `From $1.90 to $1.77 since 2026-10-19, lowest $1.74, 4 changes.` */
function sentenceOf(prices: Prices): string {
  const known = prices.flatMap(({ at, priceHourly: usd }) => (usd === null ? [] : [{ at, usd }]));
  const [first] = known;
  const last = known.at(-1);
  if (first === undefined || last === undefined) {
    return "No price is known.";
  }
  const changes = known.filter(({ usd }, index) => index > 0 && usd !== known[index - 1]?.usd).length;
  const since = first.at.slice(0, 10);
  if (changes === 0) {
    return `${usdText(last.usd)} since ${since}, without a change.`;
  }
  const low = Math.min(...known.map(({ usd }) => usd));
  return `From ${usdText(first.usd)} to ${usdText(last.usd)} since ${since}, lowest ${usdText(low)}, ${changes} change${changes === 1 ? "" : "s"}.`;
}

/** The line: each price holds until the next. */
const StepLine: FunctionComponent<{ prices: Prices; nowMs: number; label: string }> = ({ prices, nowMs, label }) => {
  const known = prices.flatMap(({ priceHourly }) => priceHourly ?? []);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const [first] = prices;
  if (first === undefined || known.length === 0) {
    return null;
  }
  const startMs = Date.parse(first.at);
  const round = (number: number): number => Math.round(number * 10) / 10;
  const x = (ms: number): number => round(LEFT + ((ms - startMs) / Math.max(1, nowMs - startMs)) * (RIGHT - LEFT));
  // In the middle, if there is only one price
  const y = (usd: number): number =>
    round(high === low ? (TOP + BASE) / 2 : BASE - ((usd - low) / (high - low)) * (BASE - TOP));
  const path = prices.map(({ at, priceHourly: usd }, index) => {
    const next = prices[index + 1];
    const start = (prices[index - 1]?.priceHourly ?? null) === null ? `M${x(Date.parse(at))} ` : "V";
    return usd === null ? "" : `${start}${y(usd)}H${x(next === undefined ? nowMs : Date.parse(next.at))}`;
  });
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <path class="axis" d={`M${LEFT} ${BASE + 2}H${RIGHT}`} />
      <path class="line" d={path.join("")} />
      {[...new Set([high, low])].map((usd) => (
        <text key={usd} x={LEFT - 4} y={y(usd) + 3} text-anchor="end">
          {usdText(usd)}
        </text>
      ))}
      <text x={LEFT} y={HEIGHT - 4}>
        {first.at.slice(0, 10)}
      </text>
      <text x={RIGHT} y={HEIGHT - 4} text-anchor="end">
        today
      </text>
    </svg>
  );
};

/** The sentence, the line, and the table. */
export const PriceChart: FunctionComponent<{ prices: Prices; nowMs: number }> = ({ prices, nowMs }) => {
  const sentence = `Price per hour, without disk: ${sentenceOf(prices)}`;
  const changes = prices.filter(({ priceHourly }, index) => priceHourly !== prices[index - 1]?.priceHourly);
  return (
    <>
      <p>{sentence}</p>
      <StepLine prices={prices} nowMs={nowMs} label={sentence} />
      <details>
        <summary>As a table</summary>
        <table class="facts">
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">Price</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ at, priceHourly }) => (
              <tr key={at}>
                <td>{at.slice(0, 16).replace("T", " ")}</td>
                <td>{priceHourly === null ? "no price" : usdText(priceHourly)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
};
