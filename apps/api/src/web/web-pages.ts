import { Injectable, type OnModuleInit } from "@nestjs/common";
import { HttpAdapterHost } from "@nestjs/core";
import { printable, sourceNotices, type Address } from "@gpu-offers/list";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Catalog, NoCatalogError } from "../catalog/catalog.js";
import { Foundation } from "../foundation.js";
import { findCaller } from "../http/access.guard.js";
import { addVary, EncodedContent, mediaTypeOf, redirect, sendContent, TaggedBody } from "../http/content.js";
import type { QueryParameters } from "../http/query-parameters.js";
import { UNITS } from "../http/work-units.js";
import { GpuPriceReader } from "../gpus/gpu-prices.js";
import { MarketSummaryReader } from "../gpus/market-summary.js";
import { ListingViewCache } from "../listings/listing-view.js";
import { KeyCache } from "../keys/key-cache.js";
import { prefersHtml, type Encoding } from "../wire/accepted.js";
import { isGpuPage } from "../wire/deprecation.js";
import { exchangeOf } from "../wire/exchange.js";
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

/** Serves `/`, the pages of GPUs and the files of the page. With WEB=off, browsers are redirected to the documentation. */
@Injectable()
export class WebPages implements OnModuleInit {
  readonly #isKeyRequired: boolean;

  constructor(
    private readonly foundation: Foundation,
    private readonly host: HttpAdapterHost,
    private readonly keys: KeyCache,
    private readonly catalog: Catalog,
    private readonly views: ListingViewCache,
    private readonly prices: GpuPriceReader,
    private readonly summaries: MarketSummaryReader,
  ) {
    this.#isKeyRequired = foundation.config.REQUIRE_API_KEY;
  }

  onModuleInit(): void {
    this.serve(this.host.httpAdapter.getInstance<FastifyInstance>());
  }

  /** @param folder The folder with the built files. */
  serve(server: FastifyInstance, folder = WEB_FOLDER): void {
    const { config, version } = this.foundation;
    const list = config.WEB === "off" ? undefined : readTemplate("index.html", folder);
    const gpus = list && (readTemplate("gpus.html", folder) ?? list);
    if (list !== undefined) {
      this.catalog.prepare(() => this.summaries.get());
    }
    const index = TaggedBody.of(`${JSON.stringify({ name: "gpu-offers", version, links: LINKS }, null, 2)}\n`);
    server.get("/", async (request: FastifyRequest, reply: FastifyReply) => {
      addVary(reply, "Accept");
      if (!prefersHtml(request.headers.accept)) {
        return sendContent(reply, index);
      }
      if (list === undefined || gpus === undefined) {
        return redirect(reply, "./docs");
      }
      // The adapter parses queries
      const address = readPage((request.query as QueryParameters).text);
      if (address.view === "gpus") {
        return this.#sendGpus(request, reply, { template: gpus, root: "./" }, gpusPage);
      }
      return this.#send(request, reply, { template: list }, async ({ view, nowMs, charge }) =>
        firstRows(view, address, {
          nowMs,
          admit: (query) => charge(UNITS.listingPage(query, view.catalog.index.size)),
          summary: await this.summaries.get(),
        }),
      );
    });
    // The paths are those of the API; browsers get pages
    server.addHook("preHandler", async (request, reply) => {
      if (!isGpuPage(request.routeOptions.url) || request.method !== "GET") {
        return;
      }
      addVary(reply, "Accept");
      if (gpus === undefined || !prefersHtml(request.headers.accept)) {
        return;
      }
      const { slug } = request.params as { slug?: string };
      if (slug === undefined) {
        await this.#sendGpus(request, reply, { template: gpus, root: "./" }, gpusPage);
      } else {
        const template = gpus.replaceAll(/(href|src|content)="\.\//g, '$1="../');
        await this.#sendGpus(request, reply, { template, root: "../" }, ({ since }, sources) =>
          gpuPage(slug, since, sources),
        );
      }
    });
    for (const [path, file] of list === undefined ? [] : listWebFiles(folder)) {
      server.get(path, (_request, reply) =>
        sendContent(reply, file, { maxAgeSeconds: IMMUTABLE_SECONDS, isImmutable: true }),
      );
    }
  }

  /** Sends a page; without a key that is required, one without rows. */
  async #send(
    request: FastifyRequest,
    reply: FastifyReply,
    { template, root }: { template: string; root?: string },
    make: (sources: GpuPageSources) => Promise<PageContent>,
  ): Promise<FastifyReply> {
    const { views, prices, catalog } = this;
    let units = 0;
    const charge = (more: number): void => exchangeOf(request.raw).admit((units += more));
    const isLocked = this.#isKeyRequired && (await findCaller(request, this.keys)) === undefined;
    const page = isLocked
      ? { ...NOTHING, content: html`${root === undefined ? "" : headerOf(root)}${KEY_FORM}` }
      : await make({ view: views.get(), prices, nowMs: catalog.nowMs, charge }).catch((error: unknown) => {
          if (error instanceof NoCatalogError) {
            return NOTHING;
          }
          throw error;
        });
    return sendContent(reply, EncodedContent.of(Buffer.from(withPicture(fill(template, page), request)), HTML, true), {
      policy: PAGE_POLICY,
      isPrivate: this.#isKeyRequired,
    });
  }

  /** A page of GPUs, with what is to be known of the prices. */
  #sendGpus(
    request: FastifyRequest,
    reply: FastifyReply,
    template: { template: string; root: string },
    make: (address: Address, sources: GpuPageSources) => Promise<PageContent>,
  ): Promise<FastifyReply> {
    return this.#send(request, reply, template, async (sources) => {
      const address = readPage((request.query as QueryParameters).text);
      sources.charge(UNITS.gpuPage);
      const page = await make(address, sources);
      const notices = [...sourceNotices(sources.view.sources), ...address.problems];
      const content = html`${headerOf(template.root)}${notices.map((line) => html`<p class="notice">${printable(line)}</p>`)}
        <div class="gpus" id="offers" tabindex="-1">${page.content}</div>`;
      return { ...page, content };
    });
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

/** Links at the root for programs. */
const LINKS = {
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
};

// The built files of the page, which the build copies from apps/web. Each is listed once, and kept when it is requested.

const WEB_FOLDER = new URL("dist/web/", PACKAGE_FOLDER);

const SUFFIXES: Readonly<Record<Encoding, string>> = { br: ".br", gzip: ".gz", identity: "" };

/** The HTML of the page without rows; undefined if the page isn't built. */
function readTemplate(name: string, folder: URL): string | undefined {
  const file = new URL(name, folder);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** The files that the page loads, by their paths. Each has a hash of its content in its name, and compressed forms beside it. */
function listWebFiles(folder: URL): Map<string, EncodedContent> {
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
