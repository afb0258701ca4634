import type { FunctionComponent } from "preact";
import { usdText } from "@gpu-offers/list";

// A step line of prices over time, as SVG. The same is said in a sentence and a table beside it.

/** A price from a time on; null while there was none. */
export interface ChartPoint {
  atMs: number;
  usd: number | null;
}

const WIDTH = 360;
const HEIGHT = 110;
const LEFT = 44;
const BASE = 92;
const TOP = 8;

/** The path of a step line: each price holds until the next. */
export function stepPath(points: readonly ChartPoint[], endMs: number): string {
  const known = points.flatMap(({ usd }) => usd ?? []);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const startMs = points[0]?.atMs ?? endMs;
  const x = (ms: number): number => round(LEFT + ((ms - startMs) / Math.max(1, endMs - startMs)) * (WIDTH - LEFT - 4));
  const y = (usd: number): number => heightOf(usd, low, high);
  let path = "";
  let isOn = false;
  for (const [index, { atMs, usd }] of points.entries()) {
    if (usd !== null) {
      path += isOn ? `V${y(usd)}` : `M${x(atMs)} ${y(usd)}`;
      path += `H${x(points[index + 1]?.atMs ?? endMs)}`;
    }
    isOn = usd !== null;
  }
  return path;
}

/** Where a price is drawn; in the middle, if there is only one. */
function heightOf(usd: number, low: number, high: number): number {
  return round(high === low ? (TOP + BASE) / 2 : BASE - ((usd - low) / (high - low)) * (BASE - TOP));
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}

/** A sentence about prices: `From $1.90 to $1.77, lowest $1.74, 4 changes since 2026-10-19.` */
export function priceSentenceOf(points: readonly ChartPoint[]): string {
  const known = points.filter((point): point is { atMs: number; usd: number } => point.usd !== null);
  const [first] = known;
  const last = known.at(-1);
  if (first === undefined || last === undefined) {
    return "No price is known.";
  }
  const changes = known.filter(({ usd }, index) => index > 0 && usd !== known[index - 1]?.usd).length;
  const since = dayOf(first.atMs);
  if (changes === 0) {
    return `${usdText(last.usd)} since ${since}, without a change.`;
  }
  const low = Math.min(...known.map(({ usd }) => usd));
  return `From ${usdText(first.usd)} to ${usdText(last.usd)} since ${since}, lowest ${usdText(low)}, ${changes} change${changes === 1 ? "" : "s"}.`;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The sentence, the line, and the table. */
export const PriceChart: FunctionComponent<{ points: readonly ChartPoint[]; nowMs: number; label: string }> = ({
  points,
  nowMs,
  label,
}) => {
  const known = points.flatMap(({ usd }) => usd ?? []);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const sentence = priceSentenceOf(points);
  const changes = points.filter(({ usd }, index) => index === 0 || usd !== points[index - 1]?.usd);
  return (
    <>
      <p>{`${label}: ${sentence}`}</p>
      {known.length > 0 && (
        <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${label}: ${sentence}`}>
          <path class="axis" d={`M${LEFT} ${BASE + 2}H${WIDTH - 4}`} />
          <path class="line" d={stepPath(points, nowMs)} />
          {[...new Set([high, low])].map((usd) => (
            <text key={usd} x={LEFT - 4} y={heightOf(usd, low, high) + 3} text-anchor="end">
              {usdText(usd)}
            </text>
          ))}
          <text x={LEFT} y={HEIGHT - 4}>
            {dayOf(points[0]?.atMs ?? nowMs)}
          </text>
          <text x={WIDTH - 4} y={HEIGHT - 4} text-anchor="end">
            today
          </text>
        </svg>
      )}
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
            {changes.map(({ atMs, usd }) => (
              <tr key={atMs}>
                <td>{new Date(atMs).toISOString().slice(0, 16).replace("T", " ")}</td>
                <td>{usd === null ? "no price" : usdText(usd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
};
