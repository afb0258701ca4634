import { AgentCatalogError, createAgentServer, type AgentCatalog } from "@gpu-offers/agent";
import { selectGpus, toBalance, type OsImageList } from "@gpu-offers/domain";
import { gpuPricesQuerySchema } from "@gpu-offers/domain/gpus";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { Injectable, type BeforeApplicationShutdown } from "@nestjs/common";
import { Catalog } from "../catalog/catalog.js";
import { Foundation } from "../foundation.js";
import { GpuPriceReader } from "../gpus/gpu-prices.js";
import { ListingViewCache, type ListingView } from "../listings/listing-view.js";
import { ApiError } from "../wire/api-error.js";
import { CreditStore } from "@gpu-offers/store/credit.store";

/** The protocol ignores the URL, and one made from the Host header could be invalid. */
const REQUEST_URL = "http://localhost/mcp";

/** Name of the caller's account in what the MCP server knows of a request. */
const ACCOUNT_ID = "accountId";

/** @throws AgentCatalogError if several ids begin so. */
function positionIn(view: ListingView, id: string): number | undefined {
  try {
    return view.positionOf(id);
  } catch (error) {
    throw error instanceof ApiError ? new AgentCatalogError(error.message) : error;
  }
}

/** The MCP tools over the served catalog. Requests are stateless. */
@Injectable()
export class AgentTools implements BeforeApplicationShutdown {
  readonly #allowedHosts: string[];
  readonly #handler;

  constructor(
    { config, log, version }: Foundation,
    private readonly catalog: Catalog,
    private readonly gpuPrices: GpuPriceReader,
    private readonly listings: ListingViewCache,
    private readonly ledger: CreditStore,
  ) {
    // Host names accepted from agents.
    this.#allowedHosts = [...localhostAllowedHostnames(), ...config.MCP_ALLOWED_HOSTS];
    this.#handler = createMcpHandler(
      ({ authInfo }) =>
        createAgentServer({
          catalog: this.#catalogOf(authInfo?.extra?.[ACCOUNT_ID]),
          version,
          onError: (error) => log.logger.error({ err: error }, "MCP tool failed"),
        }),
      { maxSubscriptions: 32 },
    );
  }

  /**
   * Responds to an MCP request. Requests of other sites' web pages, or through DNS rebinding, get a 403.
   * @param body the request's body as JSON.
   * @param accountId the caller's account; undefined without a valid key.
   */
  async respond(headers: Headers, body: unknown, accountId: string | undefined): Promise<Response> {
    const request = new Request(REQUEST_URL, { method: "POST", headers });
    return (
      hostHeaderValidationResponse(request, this.#allowedHosts) ??
      originValidationResponse(request, this.#allowedHosts) ??
      (await this.#handler.fetch(request, {
        parsedBody: body,
        ...(accountId === undefined
          ? {}
          : { authInfo: { token: "", clientId: "", scopes: [], extra: { [ACCOUNT_ID]: accountId } } }),
      }))
    );
  }

  /** Ends open streams. Nest calls it when the service stops. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#handler.close();
  }

  #catalogOf(accountId: unknown): AgentCatalog {
    const { catalog, gpuPrices, ledger, listings } = this;
    return {
      findOffer: async (id) => {
        const view = listings.get();
        const position = positionIn(view, id);
        if (position === undefined) {
          return undefined;
        }
        const { offer, ...listing } = view.listingAt(position);
        return { ...offer, listing };
      },
      listings: async () => listings.get().catalog,
      find: async (query) => listings.get().find(query),
      findImages: async (provider, instanceType) => {
        const found = catalog.getSnapshot().findImages(provider, instanceType ?? undefined);
        return found && (JSON.parse(found.body.toString()) as OsImageList).data;
      },
      pricesAsOf: async () => {
        const known = listings.get().sources.filter(({ pricesAsOf }) => pricesAsOf !== null);
        return new Map(known.flatMap((one) => one.providers.map((name) => [name, one.pricesAsOf ?? ""] as const)));
      },
      listGpus: async () => listings.get().market.gpus,
      findGpuPrices: async (name, range) => {
        const { market } = listings.get();
        const selection = selectGpus(name, market.snapshot.listedGpus);
        return selection.kind === "unknown"
          ? undefined
          : // The message is charged for it
            gpuPrices.read(name, selection.slugs, gpuPricesQuerySchema.parse(range), catalog.nowMs, () => {});
      },
      ...(typeof accountId === "string"
        ? { getBalance: async () => toBalance(await ledger.getBalance(accountId)) }
        : {}),
    };
  }
}
