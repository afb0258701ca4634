import type { FunctionComponent } from "preact";
import { DEFAULT_DISK_GB, pricedOffer, type LaunchPlan, type OsImage } from "@gpu-offers/domain";
import { askedDisk } from "@gpu-offers/domain/launching";
import { diskOf, gpuText, offerFacts, priceSentence, usdText } from "@gpu-offers/list";
import { PriceChart } from "./chart.js";
import { CopyButton } from "./copy-button.js";
import { Pane } from "./pane.js";
import { StateLine } from "./state-line.js";
import type { Details } from "./page-state.js";
import type { Page } from "./page.js";

/** Offers of a plan: as many as a tool tries in a few minutes. */
const PLANNED = 5;

export const DetailsPane: FunctionComponent<{ page: Page; details: Details }> = ({ page, details }) => {
  const { result, nowMs, catalog } = page.state;
  const { offer: base } = details;
  const { listing: read, history, launch } = page.parts;
  const listing = read.value;
  if (base === undefined) {
    return (
      <Pane title="Offer" onClose={() => page.details.close()}>
        <StateLine part={read} what="Offer" />
      </Pane>
    );
  }
  const isSpot = result?.isSpot === true;
  const offer = listing === undefined ? base : pricedOffer(listing, isSpot);
  // That of texts: the default where only the order is by totals, which are of the smallest disk
  const diskGb = diskOf(offer, result?.shownDiskGb ?? (result && askedDisk(result.query)) ?? DEFAULT_DISK_GB);
  const options = {
    diskGb,
    hours: result?.hours,
    pricesAsOf: catalog?.pricesAsOf,
    nowMs,
    stated: listing,
  };
  const facts = offerFacts(offer, options).filter(([name]) => name !== "id");
  if (listing?.isStale === true) {
    facts.push(["stale", "yes: not confirmed for too long"]);
  }
  return (
    <Pane title={gpuText(offer)} onClose={() => page.details.close()}>
      <p class="price">{priceSentence(offer, diskGb)}</p>
      {listing?.rentUrl != null && (
        <p>
          <a class="chip strong rent" href={listing.rentUrl} target="_blank" rel="noreferrer">
            Rent at {offer.provider.name}
          </a>
        </p>
      )}
      <StateLine part={read} what="Details" />
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {listing !== undefined && (
        <>
          <StateLine part={history} what="Price over time" />
          {history.status === "ready" && history.value === undefined && <p>Its price wasn't observed over time yet.</p>}
          {history.value !== undefined && <PriceChart prices={history.value.prices} nowMs={nowMs} />}
          <h3>Launch</h3>
          <StateLine part={launch} what="Launch texts" />
          {launch.value !== undefined && <Plan page={page} plan={launch.value} top={details.top} />}
          <h3>Images</h3>
          {listing.images.length === 0 ? (
            <p>Images unknown: the provider's default is used.</p>
          ) : (
            <ul>
              {listing.images.map((image) => (
                <li key={image.id}>{imageText(image)}</li>
              ))}
            </ul>
          )}
          <p class="id">
            <code>{listing.offer.id}</code>
          </p>
          <p>
            <CopyButton text={listing.offer.id} label="Copy id" />{" "}
            <CopyButton text={JSON.stringify(listing, null, 2)} label="Copy JSON" />
          </p>
        </>
      )}
    </Pane>
  );
};

/** The texts that launch the offer, or the first of `top` such offers. */
const Plan: FunctionComponent<{ page: Page; plan: LaunchPlan; top: number | undefined }> = ({ page, plan, top }) => {
  const { total, ceiling } = plan;
  const costs =
    total === null || top !== undefined
      ? []
      : [
          `As launched, it costs ${total.isAtLeast ? "at least " : ""}${usdText(total.hourly)}/h.`,
          ...(ceiling === null ? [] : [`The price limit is ${usdText(ceiling)}/h, where a tool takes one.`]),
        ];
  return (
    <>
      {plan.problems.map(({ field, reason }) => (
        <p key={field}>{`${field}: ${reason}`}</p>
      ))}
      {plan.deployment !== null && (
        <p>
          <button
            class="chip"
            aria-pressed={top !== undefined}
            onClick={() => void page.details.planOf(top === undefined ? PLANNED : undefined)}
          >
            Plan of {PLANNED}
          </button>{" "}
          SkyPilot and dstack take the first of {PLANNED} such offers that is available.
        </p>
      )}
      {[...plan.notes, ...costs, ...plan.missing.map(({ reason }) => reason)].map((line) => (
        <p key={line}>{line}</p>
      ))}
      {plan.launch.map(({ title, text, placeholders }) => (
        <details key={title}>
          <summary>{title}</summary>
          <pre tabIndex={0}>{text}</pre>
          {placeholders.length > 0 && <p>Replace {placeholders.join(", ")}.</p>}
          <CopyButton text={text} label={`Copy ${title}`} />
        </details>
      ))}
    </>
  );
};

function imageText({ displayName, hasCuda, cudaVersion, hasDocker }: OsImage): string {
  const cuda = hasCuda ? `CUDA${cudaVersion === null ? "" : ` ${cudaVersion}`}` : undefined;
  return [displayName, cuda, hasDocker ? "Docker" : undefined].filter((part) => part !== undefined).join(", ");
}
