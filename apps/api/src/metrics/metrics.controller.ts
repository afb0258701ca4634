import { Controller, Get, Header, Res } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import type { FastifyReply } from "fastify";
import { PublicAccess } from "../http/access.guard.js";
import { ApiErrors, ApiText } from "../openapi/decorators.js";
import { Metrics } from "./metrics.js";

/** What the service measures of itself. */
@ApiTags("Health")
@PublicAccess()
@Controller("metrics")
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @ApiOperation({
    operationId: "getMetrics",
    summary: "Metrics of the service",
    description: "For Prometheus, in its text format. Requests, the process, the catalog, the database.",
    security: [],
  })
  @ApiText("gpu_offers_catalog_offers 240\n", "The metrics.")
  @ApiErrors("invalid_parameter")
  @Header("Cache-Control", "no-store")
  get(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    reply.type(this.metrics.contentType);
    return this.metrics.text();
  }
}
