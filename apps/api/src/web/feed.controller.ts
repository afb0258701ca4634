import { Controller, Get, VERSION_NEUTRAL } from "@nestjs/common";
import { ApiExcludeController } from "@nestjs/swagger";
import {
  availabilityOf,
  listingTotal,
  pricedOffer,
  toMicrosUp,
  withDoorDefaults,
  type ListListingsQuery,
} from "@gpu-offers/domain";
import { listingQuerySchema } from "@gpu-offers/domain/query";
import { diskOf, gpuText, placeText, priceSentence, printable, shownDiskGb } from "@gpu-offers/list";
import { PriceHistoryStore } from "@gpu-offers/store/offer-history";
import { Catalog } from "../catalog/catalog.js";
import { Access } from "../http/access.guard.js";
import { TaggedBody } from "../http/content.js";
import { ValidQuery } from "../http/parameters.pipe.js";
import { CurrentExchange, UNITS } from "../http/work-units.js";
import { ListingViewCache } from "../listings/listing-view.js";
import type { Exchange } from "../wire/exchange.js";
import { inSlices } from "../wire/loop-turns.js";
import { html } from "./html.js";

const ENTRIES = 10;

/** A query as an Atom feed (RFC 4287): the offers that are cheapest now. */
@ApiExcludeController()
@Access("catalog")
@Controller({ path: "feed", version: VERSION_NEUTRAL })
export class FeedController {
  constructor(
    private readonly views: ListingViewCache,
    private readonly histories: PriceHistoryStore,
    private readonly catalog: Catalog,
  ) {}

  /** An entry is an offer at a price since a time, so readers show a new one when the cheapest or its price changes. */
  @Get()
  async get(
    @ValidQuery(listingQuerySchema) given: ListListingsQuery,
    @CurrentExchange() exchange: Exchange,
  ): Promise<TaggedBody> {
    const view = this.views.get();
    exchange.admit(UNITS.listingPage(given, view.catalog.index.size) + ENTRIES);
    const { selection, wished, terms } = view.resolve(withDoorDefaults(given));
    const disk = shownDiskGb(wished, selection);
    const { positions } = await inSlices(view.catalog.selecting(selection, { page: 0, size: ENTRIES }));
    const listings = Array.from(positions, (position) => view.listingAt(position));
    const text = new URLSearchParams(exchange.request.url?.split("?")[1] ?? "").toString();
    const now = new Date(this.catalog.nowMs).toISOString();
    const entries = await Promise.all(
      listings
        .filter((listing) => availabilityOf(listing) !== "sold_out")
        .map(async (listing) => {
          const offer = pricedOffer(listing, terms.isSpot);
          const { id } = listing.offer;
          const diskGb = diskOf(offer, disk);
          const { hourly } = listingTotal(offer, { disk: diskGb });
          const since = (await this.histories.find(id))?.prices.at(-1)?.at;
          const asOf = view.pricesAsOf(offer.provider.name);
          const price = toMicrosUp(hourly);
          const title = `${gpuText(offer)} at ${printable(offer.provider.name)}, ${placeText(offer)}: ${priceSentence(offer, diskGb)}`;
          const updated = new Date(since ?? asOf ?? now).toISOString();
          const entry = html`<entry>
            <id>tag:gpu-offers,2026:${id}:${since ?? ""}:${price}</id>
            <title>${title}</title>
            <updated>${updated}</updated>
            <link rel="alternate" type="text/html" href="./?${text}${text === "" ? "" : "&"}offer=${id}" />
            <content type="text">${title}</content>
          </entry>`;
          return { entry, updated };
        }),
    );
    const times = entries.map(({ updated }) => updated).sort();
    const feed = html`<?xml version="1.0" encoding="utf-8"?>
      <feed xmlns="http://www.w3.org/2005/Atom">
        <id>tag:gpu-offers,2026:feed:${text}</id>
        <title>gpu-offers: ${text === "" ? "all offers" : (new URLSearchParams(text).get("q") ?? text)}</title>
        <updated>${times.at(-1) ?? now}</updated>
        <author><name>gpu-offers</name></author>
        <link rel="alternate" type="text/html" href="./?${text}" />
        ${entries.map(({ entry }) => entry)}
      </feed> `;
    return TaggedBody.of(feed.text, "application/atom+xml; charset=utf-8");
  }
}
