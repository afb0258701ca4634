import { pricedOffer, type ListingQuery } from "@gpu-offers/domain";
import { askedDisk, launchDisk, launchPlan, rentUrl } from "@gpu-offers/domain/launching";
import { ageOf, gpuText, offerFacts, placeText, priceSentence, printable } from "@gpu-offers/list";
import type { ListingView } from "../listings/listing-view.js";
import { html, type PageContent } from "./html.js";

/** An offer without scripts: its facts, where one rents it, and texts that launch it; undefined if it is gone. */
export function offerPage(view: ListingView, id: string, query: ListingQuery): PageContent | undefined {
  const position = view.snapshot.findPosition(id);
  if (position === undefined) {
    return undefined;
  }
  const listing = view.listingAt(position);
  const { fits, hours, spot } = query;
  const disk = askedDisk(query);
  const isSpot = spot !== undefined && spot !== "false" && listing.spot !== null;
  const offer = pricedOffer(listing, isSpot);
  const { diskGb = disk } = launchDisk(offer, { askedGb: disk, fits });
  const provider = printable(offer.provider.name);
  const title = `${gpuText(offer)} at ${provider}, ${placeText(offer)}`;
  const images = view.catalog.names.images.get(offer.provider.name) ?? [];
  const pricesAsOf = view.pricesAsOf(offer.provider.name);
  const { launch, problems, notes } = launchPlan(listing, images, { diskGb: disk, fits, hours, isSpot, pricesAsOf });
  const url = rentUrl(offer, () => listing);
  return {
    title,
    description: `${title}: ${priceSentence(offer, diskGb)}.`,
    content: html`<section class="offer" aria-label="Offer">
      <h2>${title}</h2>
      <p class="price">${priceSentence(offer, diskGb)}</p>
      ${url === null ? "" : html`<p><a class="chip strong rent" href="${url}" rel="noreferrer">Rent at ${provider}</a></p>`}
      <dl>
        ${offerFacts(offer, { diskGb, hours, stated: listing, pricesAsOf: ageOf(view).pricesAsOf }).map(
          ([name, value]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>
      ${[...problems.map(({ reason }) => reason), ...notes].map((line) => html`<p>${line}</p>`)}
      ${launch.map(
        ({ title: tool, text }) =>
          html`<details>
            <summary>${tool}</summary>
            <pre>${text}</pre>
          </details>`,
      )}
    </section>`,
  };
}
