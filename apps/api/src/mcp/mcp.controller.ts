import { Controller, Post, Req, Res } from "@nestjs/common";
import { ApiExcludeController } from "@nestjs/swagger";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Catalog } from "../catalog/catalog.js";
import { Access, findCaller } from "../http/access.guard.js";
import { UNITS } from "../http/work-units.js";
import { KeyCache } from "../keys/key-cache.js";
import { ApiError } from "../wire/api-error.js";
import { exchangeOf } from "../wire/exchange.js";
import { AgentTools } from "./agent-tools.js";

/** The MCP tools over streamable HTTP. The protocol describes itself, so OpenAPI leaves it out. */
@ApiExcludeController()
@Access("catalog")
@Controller("mcp")
export class McpController {
  constructor(
    private readonly tools: AgentTools,
    private readonly keys: KeyCache,
    private readonly catalog: Catalog,
  ) {}

  @Post()
  async respond(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    // A batch would count as one request for the rate limit. The protocol has none since 2025-06-18.
    if (Array.isArray(request.body)) {
      throw new ApiError("bad_request", "The body is a batch; send one JSON-RPC message per request.");
    }
    exchangeOf(request.raw).admit(UNITS.agentMessage(request.body, this.catalog.snapshot?.offerCount ?? 0));
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    // Only the credit needs the account, so the other tools work without the database.
    const accountId = await findCaller(request, this.keys).catch(() => undefined);
    const response = await this.tools.respond(headers, request.body, accountId);
    void reply.send(response);
  }
}

/** What MCP=on needs. It is loaded only then: the protocol's library takes a tenth of the start. */
export const AGENTS = { controllers: [McpController], providers: [AgentTools] };
