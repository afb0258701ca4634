import {
  LISTING_PARAMETERS,
  ListingCatalog,
  listingListSchema,
  readParameter,
  type ListingParameterName,
} from "@gpu-offers/domain";
import { decodeCompactList, evaluate, pageQuery } from "@gpu-offers/list";
import { startAdmin } from "@gpu-offers/testkit/admin";
import { fetchFrom, jsonOf, type HttpResponse } from "@gpu-offers/testkit/http";
import { startService, type Service } from "@gpu-offers/testkit/service";
import { tempDatabase } from "@gpu-offers/testkit/temp-folder";
import { readAddress } from "@gpu-offers/web/address";
import { catalogOf, type Catalog } from "@gpu-offers/web/catalog";
import { runInProcess } from "./in-process.ts";
import type { Ended } from "./program.ts";

// The doors of the one query of listings, over one catalog: GET /api/v2/listings, the flags of the command, the arguments of
// agents and the address of the page.

/** Parameters as texts. */
export type Texts = Readonly<Partial<Record<ListingParameterName, string>>>;

/** The ids that a door lists, in order. */
type Door = (texts: Texts) => Promise<readonly string[]>;

/** What an agent gets. */
export interface AgentResult {
  isError?: boolean;
  content: readonly { text: string }[];
  structuredContent: { offers: { id: string }[]; understood?: string[] };
}

const entriesOf = (texts: Texts) => Object.entries(texts) as [ListingParameterName, string][];

const searchOf = (texts: Texts): string => new URLSearchParams(texts).toString();

/** All doors to a catalog file, which a service has imported. */
export class Doors {
  private constructor(
    readonly file: string,
    private readonly service: Service,
    private readonly page: Catalog,
    private readonly idsOfPage: readonly string[],
  ) {}

  static async open(file: string): Promise<Doors> {
    const databasePath = tempDatabase();
    await startAdmin(databasePath, ["catalog", "import", file]).ended;
    const service = await startService({ databasePath, settings: { MCP: "on", RATE_LIMIT: "off" } });
    const list = decodeCompactList(jsonOf(await fetchFrom(service, "/web/listings.json")));
    const page = catalogOf(list);
    page.named = new ListingCatalog(page.index, list.images);
    const ids: string[] = [];
    for (let hasMore = true, number = 0; hasMore; number++) {
      const response = jsonOf(await fetchFrom(service, `/api/v1/offers?size=100&page=${number}`)) as OfferPage;
      ids.push(...response.offers.map(({ id }) => id));
      ({ hasMore } = response);
    }
    return new Doors(file, service, page, ids);
  }

  /** The lists of all doors. */
  get lists(): Readonly<Record<"http" | "command" | "commandOnFile" | "agents" | "address", Door>> {
    const { http, address } = this;
    return {
      http,
      command: async (texts) => idsOf(await this.command(texts, ["--url", this.service.url])),
      // Without a service, the command applies the rules by itself.
      commandOnFile: async (texts) => idsOf(await this.command(texts)),
      agents: async (texts) => {
        const result = await this.askAgent(texts);
        if (result.isError === true) {
          throw new Error(`${JSON.stringify(texts)}: ${JSON.stringify(result)}`);
        }
        return result.structuredContent.offers.map(({ id }) => id);
      },
      address,
    };
  }

  readonly http: Door = async (texts) => {
    const { listings } = listingListSchema.parse(jsonOf(await this.fetch(texts)));
    return listings.map(({ offer }) => offer.id);
  };

  /** The response of the service. */
  fetch(texts: Texts): Promise<HttpResponse> {
    return fetchFrom(this.service, `/api/v2/listings?${searchOf(texts)}`);
  }

  /** Runs `--list`, by default on the file. */
  command(texts: Texts, source: readonly string[] = ["--catalog", this.file]): Promise<Ended> {
    const flags = entriesOf(texts).flatMap(([name, text]) => {
      const { flag, kind } = LISTING_PARAMETERS[name];
      return kind === "boolean" ? [`--${flag}`] : [`--${flag}`, text];
    });
    return runInProcess(["--list", "--format", "json", ...source, ...flags]);
  }

  async askAgent(texts: Texts): Promise<AgentResult> {
    const given = entriesOf(texts).map(([name, text]): [string, unknown] => {
      const read = readParameter(name, text);
      return [LISTING_PARAMETERS[name].argument, read.ok ? read.value : text];
    });
    // Agents must say for how long a budget lasts; other doors assume an hour, and say so.
    const hours = texts.budget === undefined ? {} : { hours: 1 };
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "find_gpu_offers", arguments: { onlyAvailable: false, ...hours, ...Object.fromEntries(given) } },
    });
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const { text } = await fetchFrom(this.service, "/mcp", { method: "POST", headers, body });
    return (JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as { result: AgentResult }).result;
  }

  readonly address: Door = (texts) => {
    const { given, problems } = readAddress(`?${searchOf(texts)}`);
    const result = evaluate(this.page, pageQuery(given));
    if (problems.length > 0 || result === undefined || result.problems.length > 0) {
      throw new Error(`?${searchOf(texts)} is invalid: ${JSON.stringify([problems, result?.problems])}`);
    }
    return Promise.resolve(Array.from(result.positions, (at) => this.idsOfPage[at] ?? ""));
  };
}

interface OfferPage {
  offers: { id: string }[];
  hasMore: boolean;
}

/** The ids that a list printed. */
export function idsOf({ code, stdout, stderr }: Ended): string[] {
  if (code !== 0 && code !== 1) {
    throw new Error(`gpu-offers --list exited with ${code}: ${stderr}`);
  }
  return (JSON.parse(stdout === "" ? "[]" : stdout) as { id: string }[]).map(({ id }) => id);
}
