import { Controller, Post, Req, Res } from "@nestjs/common";
import { ApiExcludeController } from "@nestjs/swagger";
import type { FastifyReply, FastifyRequest } from "fastify";
import { CatalogAccess } from "../http/access.guard.js";
import { KeyRing } from "../keys/key-ring.js";
import { exchangeOf } from "../wire/exchange.js";
import { AgentTools } from "./agent-tools.js";

/** The MCP tools over streamable HTTP. The protocol describes itself, so OpenAPI leaves it out. */
@ApiExcludeController()
@CatalogAccess()
@Controller("mcp")
export class McpController {
  constructor(
    private readonly tools: AgentTools,
    private readonly keys: KeyRing,
  ) {}

  @Post()
  async respond(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const response = await this.tools.respond({
      url: `http://${request.headers.host ?? "localhost"}${request.url}`,
      headers: new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      body: request.body,
      accountId: request.accountId ?? (await this.keys.findAccountId(exchangeOf(request.raw)?.keyHash)),
    });
    void reply.send(response);
  }
}
