import type { FunctionComponent } from "preact";
import { LISTING_FILTER_NAMES, parametersOf } from "@gpu-offers/domain";
import { chipOf, countOf, exclusions, withoutFilter, type Result, givenQuery } from "@gpu-offers/list";
import type { Page } from "./page.js";

/** Why nothing matches: which filter excludes how many, and similar words. */
export const NothingFound: FunctionComponent<{ page: Page; result: Result }> = ({ page, result }) => {
  const { near, address } = page.state;
  const query = givenQuery(address.given);
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
        {exclusions(result)
          .slice(0, 3)
          .map(({ name: filter, count }) => {
            const names = parametersOf(filter).filter((name) => query[name] !== undefined);
            return (
              <li key={filter}>
                {names[0] === undefined ? (
                  `Unverified hosts: ${countOf(count, "offer")}`
                ) : (
                  <button class="link" onClick={() => page.setFrom(withoutFilter(query, filter), names)}>
                    Without {names.map((name) => (name === "q" ? "the words" : chipOf(name, query))).join(", ")}:{" "}
                    {countOf(count, "offer")}
                  </button>
                )}
              </li>
            );
          })}
        <li>
          <button class="link" onClick={() => page.setFrom({}, LISTING_FILTER_NAMES)}>
            Clear all filters
          </button>
        </li>
      </ul>
    </div>
  );
};
