import type { FunctionComponent } from "preact";
import { compareOffers, pricedOffer } from "@gpu-offers/domain";
import { COMPARED_NAMES, comparedDistance, comparedText, countText, gpuText, placeText } from "@gpu-offers/list";
import { hoursText } from "./list-columns.js";
import { Pane } from "./pane.js";
import type { Page } from "./page.js";

/** The comparison of the marked offers. */
export const ComparePane: FunctionComponent<{ page: Page }> = ({ page }) => {
  const { marks, result, catalog } = page.state;
  const offers = marks.map(({ listing }) => {
    const { storage = null, isCostComplete = null, availability = null, stock14d = null, sample } = listing;
    const stated = { storage, isCostComplete, availability, stock14d, sample: sample === true };
    return { ...pricedOffer(listing, result?.isSpot === true), listing: stated };
  });
  const facts = compareOffers(offers, {
    diskGb: result?.shownDiskGb,
    pricesAsOf: ({ provider }) => catalog?.pricesAsOf.get(provider.name),
  });
  return (
    <Pane title="Compare" onClose={() => page.marks.close()}>
      <div class="scroll" tabIndex={0} role="group" aria-label="Comparison">
        <table class="compare" style={{ "--offers": String(marks.length) }}>
          <thead>
            <tr>
              <td />
              {marks.map((mark) => {
                const { offer } = mark.listing;
                return (
                  <th key={JSON.stringify(mark.identity)} scope="col">
                    {gpuText(offer)}
                    <span class="sub">
                      {offer.provider.name} · {placeText(offer)}
                    </span>
                    <button
                      class="link"
                      aria-label={`Remove ${gpuText(offer)}, ${offer.provider.name}`}
                      onClick={() => page.marks.replace(mark)}
                    >
                      Remove
                    </button>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {result?.hours !== undefined && (
              <tr>
                <th scope="row">{countText(result.hours)} h</th>
                {offers.map((offer) => (
                  <td key={offer.id}>{hoursText(offer, result)}</td>
                ))}
              </tr>
            )}
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
