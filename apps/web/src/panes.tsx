import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  compareOffers,
  pricedOffer,
  worth,
  WORTH_KEYS,
  type GpuEntry,
  type OsImage,
  type WorthKey,
} from "@gpu-offers/domain";
import {
  COMPARED_NAMES,
  comparedDistance,
  comparedText,
  countOf,
  countText,
  gpuText,
  offerFacts,
  placeText,
  priceSentence,
  usdText,
} from "@gpu-offers/list";
import { focusRow } from "./focus.js";
import { PriceChart } from "./chart.js";
import type { Details } from "./page-state.js";
import type { Page } from "./page.js";

// What is beside the list: details, the comparison, and the view of GPUs. Loaded after the list.

/** A pane that takes the focus when it opens, and shows a heading and a button that closes it. */
const Pane: FunctionComponent<{ title: string; onClose: () => void; children: ComponentChildren }> = ({
  title,
  onClose,
  children,
}) => {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []);
  return (
    <section class="pane" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <button
          ref={close}
          class="close"
          aria-label="Close"
          onClick={() => {
            onClose();
            focusRow();
          }}
        >
          ×
        </button>
      </header>
      {children}
    </section>
  );
};

const Copy: FunctionComponent<{ text: string; label: string }> = ({ text, label }) => {
  const [isDone, setDone] = useState(false);
  return (
    <button
      class="chip"
      onClick={() => void navigator.clipboard.writeText(text).then(() => setDone(true))}
      onBlur={() => setDone(false)}
    >
      {isDone ? "Copied" : label}
    </button>
  );
};

/** The details of one offer. */
export const DetailsPane: FunctionComponent<{ page: Page; details: Details }> = ({ page, details }) => {
  const { result, nowMs, catalog } = page.state;
  const { offer: base, listing, history, plan, problem } = details;
  if (base === undefined) {
    return (
      <Pane title="Offer" onClose={() => page.details.close()}>
        <p>{problem ?? "Loading …"}</p>
      </Pane>
    );
  }
  const isSpot = result?.isSpot === true;
  const offer = listing === undefined ? base : pricedOffer(listing, isSpot);
  const source = catalog?.sources.get(offer.provider.name);
  const pricesAsOf = new Map(source?.pricesAsOf == null ? [] : [[offer.provider.name, source.pricesAsOf] as const]);
  const facts = offerFacts(offer, { diskGb: result?.diskGb, pricesAsOf }).filter(([name]) => name !== "id");
  const stated: [string, string | null][] =
    listing === undefined
      ? []
      : [
          ["type", listing.instanceType],
          ["seller", sellerText(listing.seller, listing.verified)],
          ["reliability", listing.reliability === null ? null : `${Math.round(listing.reliability * 1000) / 10}%`],
          [
            "spot",
            listing.spot === null
              ? null
              : `${usdText(listing.spot.priceHourly)}/h${listing.spot.kind === "bid" ? " (minimum bid)" : ""}`,
          ],
          ["egress", listing.egressPerGB === null ? null : `${usdText(listing.egressPerGB)}/GB`],
          ["stock", listing.stock],
          ["stale", listing.isStale ? "yes: not confirmed for too long" : null],
        ];
  return (
    <Pane title={gpuText(offer)} onClose={() => page.details.close()}>
      <p class="price">{priceSentence(offer, result?.diskGb)}</p>
      {problem !== undefined && <p class="notice">{problem}</p>}
      <dl>
        {[...facts, ...stated].map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      {history !== undefined && (
        <PriceChart
          label="Price per hour, without disk"
          nowMs={nowMs}
          points={history.prices.map(({ at, priceHourly }) => ({ atMs: Date.parse(at), usd: priceHourly }))}
        />
      )}
      {plan !== undefined && (
        <>
          <h3>Launch</h3>
          {plan.problems.map(({ field, reason }) => (
            <p key={field}>{`${field}: ${reason}`}</p>
          ))}
          {plan.launch.length === 0 && plan.problems.length === 0 && (
            <p>It isn't known what to ask this provider for.</p>
          )}
          {plan.launch.map(({ title, text, placeholders }) => (
            <details key={title}>
              <summary>{title}</summary>
              <pre tabIndex={0}>{text}</pre>
              {placeholders.length > 0 && <p>Replace {placeholders.join(", ")}.</p>}
              <Copy text={text} label={`Copy ${title}`} />
            </details>
          ))}
        </>
      )}
      {listing !== undefined && (
        <>
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
            <Copy text={listing.offer.id} label="Copy id" />{" "}
            <Copy text={JSON.stringify(listing, null, 2)} label="Copy JSON" />
          </p>
        </>
      )}
    </Pane>
  );
};

function imageText({ displayName, hasCuda, cudaVersion, hasDocker }: OsImage): string {
  const cuda = hasCuda ? `CUDA${cudaVersion === null ? "" : ` ${cudaVersion}`}` : undefined;
  return [displayName, cuda, hasDocker ? "Docker" : undefined].filter((part) => part !== undefined).join(", ");
}

function sellerText(seller: string | null, verified: boolean | null): string | null {
  const host = verified === null ? "" : verified ? ", verified" : ", not verified";
  return seller === null && verified === null ? null : `${seller ?? "unknown"}${host}`;
}

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
        <table class="compare">
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
                    {comparedText(fact, offers, index)}
                    <small>{comparedDistance(fact, index)}</small>
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

const WORTH_TITLES: Readonly<Record<WorthKey, string>> = {
  vramPrice: "$/GB",
  bandwidthPrice: "$/TB/s",
  bf16Price: "$/BF16 PF",
  fp8Price: "$/FP8 PF",
};

/** The models: what they cost now and over time, and what they are worth. */
export const Gpus: FunctionComponent<{ page: Page }> = ({ page }) => {
  const { gpus, prices, shown, problem } = page.state.gpus;
  const listed = (gpus ?? []).filter(({ market }) => market.offers > 0);
  return (
    <div class="gpus" id="offers" tabIndex={-1}>
      {problem !== undefined && <p class="notice">{problem}</p>}
      <section class="market" aria-label="Prices over time">
        <h2>{prices === undefined ? (shown ?? "GPUs") : `${nameOf(listed, prices.gpu)} over time`}</h2>
        {prices !== undefined && (
          <PriceChart
            label="Lowest price per GPU-hour"
            nowMs={page.state.nowMs}
            points={prices.series.map(({ at, min }) => ({ atMs: Date.parse(at), usd: min }))}
          />
        )}
      </section>
      <div class="scroll" tabIndex={0} role="group" aria-label="GPUs, scrollable">
        <table class="models">
          <caption>
            {countOf(listed.length, "model")}. Prices per GPU-hour of what can be rented now, without disk.
          </caption>
          <thead>
            <tr>
              <th scope="col">GPU</th>
              {["from", "median", "spot", "GB", "TB/s", "BF16 TF"].map((title) => (
                <th key={title} scope="col" class="num">
                  {title}
                </th>
              ))}
              {WORTH_KEYS.map((key) => (
                <th key={key} scope="col" class="num">
                  {WORTH_TITLES[key]}
                </th>
              ))}
              <th scope="col" class="num">
                Offers
              </th>
            </tr>
          </thead>
          <tbody>
            {listed.map((gpu) => (
              <tr key={gpu.slug} class={gpu.slug === shown ? "is-current" : undefined}>
                <th scope="row">
                  <button
                    class="link"
                    aria-pressed={gpu.slug === shown}
                    onClick={() => void page.gpus.show(`=${gpu.slug}`)}
                  >
                    {gpu.name}
                  </button>
                </th>
                <td class="num">{priceText(gpu, gpu.market.pricePerGpu?.min)}</td>
                <td class="num">{priceText(gpu, gpu.market.pricePerGpu?.median)}</td>
                <td class="num">{gpu.market.spotMin === null ? "–" : usdText(gpu.market.spotMin)}</td>
                <td class="num">{countText(gpu.vramGB)}</td>
                <td class="num">{gpu.memoryBandwidthGBs === null ? "–" : String(gpu.memoryBandwidthGBs / 1000)}</td>
                <td class="num">{gpu.bf16Tflops === null ? "–" : countText(Math.round(gpu.bf16Tflops))}</td>
                {WORTH_KEYS.map((key) => (
                  <td key={key} class="num">
                    {worthText(gpu, key)}
                  </td>
                ))}
                <td class="num">
                  <button
                    class="link"
                    aria-label={`${countOf(gpu.market.offers, "offer")} of ${gpu.name}`}
                    onClick={() => void page.goTo("list", `=${gpu.slug}`)}
                  >
                    {countText(gpu.market.offers)}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
};

function nameOf(gpus: readonly GpuEntry[], name: string): string {
  return gpus.find(({ slug }) => slug === name.replace(/^=/, ""))?.name ?? name;
}

function priceText({ market }: GpuEntry, usd: number | undefined): string {
  return usd === undefined ? "–" : `${market.isAtLeast ? "≥" : ""}${usdText(usd)}`;
}

/** By the lowest price. */
function worthText(gpu: GpuEntry, key: WorthKey): string {
  const { pricePerGpu } = gpu.market;
  const usd = pricePerGpu === null ? null : worth({ gpu, pricePerGpu: pricePerGpu.min }, key);
  return usd === null ? "–" : usdText(Math.ceil(usd * 1e4) / 1e4);
}
