import type { FunctionComponent } from "preact";
import { compareOffers } from "@gpu-offers/domain";
import { COMPARED_NAMES, comparedDistance, comparedText, gpuText, placeText } from "@gpu-offers/list";
import { Pane } from "./pane.js";
import type { Page } from "./page.js";

/** The comparison of the marked offers. */
export const ComparePane: FunctionComponent<{ page: Page }> = ({ page }) => {
  const { marks, result, catalog } = page.state;
  const offers = marks.map(({ offer }) => offer);
  const facts = compareOffers(offers, {
    diskGb: result?.diskGb,
    pricesAsOf: ({ provider }) => catalog?.sources.get(provider.name)?.pricesAsOf ?? undefined,
  });
  return (
    <Pane title="Compare" onClose={() => page.marks.close()}>
      <div class="scroll" tabIndex={0} role="group" aria-label="Comparison">
        <table class="compare" style={{ "--offers": String(marks.length) }}>
          <thead>
            <tr>
              <td />
              {marks.map(({ id, offer }) => (
                <th key={id} scope="col">
                  {gpuText(offer)}
                  <span class="sub">
                    {offer.provider.name} · {placeText(offer)}
                  </span>
                  <button
                    class="link"
                    aria-label={`Remove ${gpuText(offer)}, ${offer.provider.name}`}
                    onClick={() => page.marks.remove(id)}
                  >
                    Remove
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {facts.map((fact) => (
              <tr key={fact.key} class={fact.differs ? undefined : "same"}>
                <th scope="row">{COMPARED_NAMES[fact.key]}</th>
                {offers.map((offer, index) => (
                  <td key={offer.id}>
                    {comparedText(fact, offers, index)} <small>{comparedDistance(fact, index)}</small>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Pane>
  );
};
