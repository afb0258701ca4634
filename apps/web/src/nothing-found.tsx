import type { FunctionComponent } from "preact";
import { LISTING_PARAMETERS } from "@gpu-offers/domain";
import { countOf } from "@gpu-offers/list";
import { excludedCounts, type Result } from "./evaluate.js";
import type { Page } from "./page.js";

/** Why nothing matches: which filter excludes how many, and similar words. */
export const NothingFound: FunctionComponent<{ page: Page; result: Result }> = ({ page, result }) => {
  const { near, address } = page.state;
  const counts = [...excludedCounts(result)].sort(([, a], [, b]) => b - a).slice(0, 3);
  const parameters = [...address.given.keys()];
  return (
    <div class="nothing">
      <p>No offers match.</p>
      <ul>
        {near.map(({ text, count }) => (
          <li key={text}>
            <button class="link" onClick={() => page.set("q", text)}>
              {text}
            </button>{" "}
            {countOf(count, "offer")}
          </li>
        ))}
        {counts.map(([key, count]) => {
          const name = parameters.find((parameter) => LISTING_PARAMETERS[parameter].filter === key);
          return (
            <li key={key}>
              {name === undefined ? (
                `Unverified hosts: ${countOf(count, "offer")}`
              ) : (
                <button class="link" onClick={() => page.set(name, "")}>
                  Without {name === "q" ? "the words" : name.replaceAll("_", " ")}: {countOf(count, "offer")}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
};
