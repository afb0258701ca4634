import { Controller, Get, Res } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import type { FastifyReply } from "fastify";
import { Access } from "../http/access.guard.js";
import { CurrentExchange, UNITS } from "../http/work-units.js";
import { ApiText } from "../openapi/decorators.js";
import type { Exchange } from "../wire/exchange.js";
import { Metrics } from "./metrics.js";

@ApiTags("Health")
@Access("public")
@Controller("metrics")
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @ApiOperation({
    summary: "Get metrics",
    description:
      "Returns metrics of requests, the process, the catalog and the database in the Prometheus text format.",
    security: [],
  })
  @ApiText("gpu_offers_catalog_offers 240\n", "The metrics.")
  getMetrics(@Res({ passthrough: true }) reply: FastifyReply, @CurrentExchange() exchange: Exchange): Promise<string> {
    exchange.admit(UNITS.metrics);
    reply.type(this.metrics.contentType);
    return this.metrics.text();
  }
}
