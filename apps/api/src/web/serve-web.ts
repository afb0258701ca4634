import { present } from "@gpu-offers/domain";
import { printable, sourceNotices, type Address } from "@gpu-offers/list";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { NoCatalogError, type Catalog } from "../catalog/catalog.js";
import { addVary, EncodedContent, mediaTypeOf, redirect, sendContent, TaggedBody } from "../http/content.js";
import type { QueryParameters } from "../http/query-parameters.js";
import { UNITS } from "../http/work-units.js";
import type { GpuMarketCache } from "../gpus/gpu-market.js";
import type { GpuPriceReader } from "../gpus/gpu-prices.js";
import type { MarketSummaryReader } from "../gpus/market-summary.js";
import type { ListingViewCache } from "../listings/listing-view.js";
import { prefersHtml, type Encoding } from "../wire/accepted.js";
import { isGpuPage } from "../wire/deprecation.js";
import { escapeHtml } from "../wire/page-frame.js";
import { firstRows, headerOf, readPage } from "./first-rows.js";
import { gpuPage, gpusPage } from "./gpu-page.js";
import { html, type PageContent } from "./html.js";
import type { GpuPageSources } from "./prices-over-time.js";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { PACKAGE_FOLDER } from "../package-folder.js";
import { contentTag } from "../wire/entity-tag.js";

// The root: the page for browsers, an index of the API for programs. And the files that the page loads.

const PLACE_OF_ROWS = "<!--first-rows-->";

/** Seconds for which files are cached whose names change with their content: a year. */
const IMMUTABLE_SECONDS = 31_536_000;

const HTML = "text/html; charset=utf-8";

/** Only files of the service, and no text that becomes code. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** What the page shows. */
export interface WebOptions {
  catalog: Catalog;
  views: ListingViewCache;
  markets: GpuMarketCache;
  prices: Pick<GpuPriceReader, "read">;
  summaries: Pick<MarketSummaryReader, "get">;
  isKeyRequired: boolean;
  /** Whether a request has a valid key: without one that is required, the HTML has no rows. */
  hasKey: (request: FastifyRequest) => Promise<boolean>;
  /** Takes units of work from the caller of a request. @throws ApiError rate_limited. */
  admit: (request: FastifyRequest, units: number) => void;
  /** The folder with the built files. */
  folder?: URL;
}

/** Serves `/`, the pages of GPUs and the files of the page. Without a page, browsers are redirected to the documentation. */
export function serveWeb(server: FastifyInstance, version: string, options: WebOptions | undefined): void {
  const list = options && readTemplate("index.html", options.folder);
  const gpus = options && (readTemplate("gpus.html", options.folder) ?? list);
  const index = new TaggedBody(Buffer.from(`${JSON.stringify(indexOf(version), null, 2)}\n`));
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { template, root }: { template: string; root?: string },
    make: (sources: GpuPageSources) => Promise<PageContent>,
  ): Promise<FastifyReply> => {
    const { isKeyRequired, hasKey, views, markets, prices, catalog, admit } = present(options);
    let units = 0;
    const charge = (more: number): void => admit(request, (units += more));
    const isLocked = isKeyRequired && !(await hasKey(request));
    const page = isLocked
      ? { ...NOTHING, content: html`${root === undefined ? "" : headerOf(root)}${KEY_FORM}` }
      : await make({ view: views.get(), market: markets.get(), prices, nowMs: catalog.nowMs, charge }).catch(
          (error: unknown) => {
            if (error instanceof NoCatalogError) {
              return NOTHING;
            }
            throw error;
          },
        );
    return sendContent(reply, EncodedContent.once(Buffer.from(withPicture(fill(template, page), request)), HTML), {
      policy: PAGE_POLICY,
      isPrivate: isKeyRequired,
    });
  };
  /** A page of GPUs, with what is to be known of the prices. */
  const sendGpus = (
    request: FastifyRequest,
    reply: FastifyReply,
    template: { template: string; root: string },
    make: (address: Address, sources: GpuPageSources) => Promise<PageContent>,
  ): Promise<FastifyReply> =>
    send(request, reply, template, async (sources) => {
      const address = readPage((request.query as QueryParameters).text);
      sources.charge(UNITS.gpuPage);
      const page = await make(address, sources);
      const notices = [...sourceNotices(sources.view.sources), ...address.problems];
      const content = html`${headerOf(template.root)}${notices.map((line) => html`<p class="notice">${printable(line)}</p>`)}
        <div class="gpus" id="offers" tabindex="-1">${page.content}</div>`;
      return { ...page, content };
    });
  server.get("/", async (request: FastifyRequest, reply: FastifyReply) => {
    addVary(reply, "Accept");
    if (!prefersHtml(request.headers.accept)) {
      return sendContent(reply, index);
    }
    if (options === undefined || list === undefined || gpus === undefined) {
      return redirect(reply, "./docs");
    }
    // The adapter parses queries
    const address = readPage((request.query as QueryParameters).text);
    if (address.view === "gpus") {
      return sendGpus(request, reply, { template: gpus, root: "./" }, gpusPage);
    }
    return send(request, reply, { template: list }, async ({ view, nowMs, charge }) =>
      firstRows(view, address, {
        nowMs,
        admit: (query) => charge(UNITS.listingPage(query, view.catalog.index.size)),
        summary: await options.summaries.get(),
      }),
    );
  });
  // The paths are those of the API; browsers get pages
  server.addHook("preHandler", async (request, reply) => {
    if (!isGpuPage(request.routeOptions.url) || request.method !== "GET") {
      return;
    }
    addVary(reply, "Accept");
    if (options === undefined || gpus === undefined || !prefersHtml(request.headers.accept)) {
      return;
    }
    const { slug } = request.params as { slug?: string };
    if (slug === undefined) {
      await sendGpus(request, reply, { template: gpus, root: "./" }, gpusPage);
    } else {
      const template = gpus.replaceAll(/(href|src|content)="\.\//g, '$1="../');
      await sendGpus(request, reply, { template, root: "../" }, ({ since }, sources) => gpuPage(slug, since, sources));
    }
  });
  for (const [path, file] of list === undefined ? [] : listWebFiles(options?.folder)) {
    server.get(path, (_request, reply) =>
      sendContent(reply, file, { maxAgeSeconds: IMMUTABLE_SECONDS, isImmutable: true }),
    );
  }
}

const TITLE = "gpu-offers";
const FEED_LINK = `  <link rel="alternate" type="application/atom+xml" href="%" />\n  `;
const NOTHING: PageContent = { title: "", description: "", content: html`` };

/** Scripts show it, and say why; the page of the list replaces it with its own. */
const KEY_FORM = html`<form class="key locked" hidden>
  <p role="alert"><span></span> The key is kept in this tab until you close it.</p>
  <label>API key <input type="password" autocomplete="off" required /></label>
  <button class="chip strong">Show prices</button>
</form>`;

/** Previews load the picture from another site, so its address must be absolute. */
function withPicture(page: string, { headers }: FastifyRequest): string {
  const { host = "" } = headers;
  const scheme = headers["x-forwarded-proto"] === "https" ? "https" : "http";
  return /^[\w.:[\]-]+$/.test(host)
    ? page.replace(/(property="og:image" content=")\.+\//, (_, start: string) => `${start}${scheme}://${host}/`)
    : page;
}

function fill(template: string, { title, description, content, feed }: PageContent): string {
  const whole = title === "" ? TITLE : `${title} - ${TITLE}`;
  // Functions, because a replacement text has special characters
  return template
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(whole)}</title>`)
    .replace(/(property="og:title"\s+content=")[^"]*/, (_, start: string) => start + escapeHtml(whole))
    .replaceAll(/((?:name|property)="(?:og:)?description"\s+content=")([^"]*)/g, (_, start: string, plain: string) =>
      description === "" ? start + plain : start + escapeHtml(description),
    )
    .replace("</head>", () => `${feed === undefined ? "" : FEED_LINK.replace("%", () => escapeHtml(feed))}</head>`)
    .replace(PLACE_OF_ROWS, () => content.text);
}

/** Response at the root for programs. */
function indexOf(version: string) {
  return {
    name: "gpu-offers",
    version,
    links: {
      listings: "/api/v2/listings",
      gpus: "/api/v2/gpus",
      sources: "/api/v2/sources",
      offers: "/api/v1/offers",
      providers: "/api/v1/providers",
      account: "/api/v1/account",
      balance: "/api/v1/account/balance",
      openapi: "/openapi.json",
      docs: "/docs",
      liveness: "/health/live",
      readiness: "/health/ready",
    },
  };
}

// The built files of the page, which the build copies from apps/web. Each is listed once, and kept when it is requested.

const WEB_FOLDER = new URL("dist/web/", PACKAGE_FOLDER);

const SUFFIXES: Readonly<Record<Encoding, string>> = { br: ".br", gzip: ".gz", identity: "" };

/** The HTML of the page without rows; undefined if the page isn't built. */
function readTemplate(name: string, folder = WEB_FOLDER): string | undefined {
  const file = new URL(name, folder);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** The files that the page loads, by their paths. Each has a hash of its content in its name, and compressed forms beside it. */
function listWebFiles(folder = WEB_FOLDER): Map<string, EncodedContent> {
  const assets = new URL("assets/", folder);
  const names = existsSync(assets) ? readdirSync(assets).filter((name) => !/\.(?:br|gz)$/.test(name)) : [];
  return new Map(
    names.map((name) => {
      const read = (encoding: Encoding): Promise<Buffer> => readFile(new URL(`${name}${SUFFIXES[encoding]}`, assets));
      const tag = contentTag(readFileSync(new URL(name, assets)));
      return [`/assets/${name}`, new EncodedContent(tag, read, mediaTypeOf(name))];
    }),
  );
}
