import { Controller, Get, Inject, Query, Res } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import type { FastifyReply } from "fastify";
import { PublicAccess } from "../http/access.guard.js";
import { noParametersSchema } from "../http/parameters.pipe.js";
import { ApiErrors, ApiText } from "../openapi/decorators.js";
import { Metrics } from "./metrics.js";

/** What the service measures of itself. */
@ApiTags("Health")
@PublicAccess()
@Controller("metrics")
export class MetricsController {
  constructor(@Inject(Metrics) private readonly metrics: Metrics) {}

  @Get()
  @ApiOperation({
    operationId: "getMetrics",
    summary: "Metrics of the service",
    description: "For Prometheus, in its text format. Requests, the process, the catalog, the database.",
    security: [],
  })
  @ApiText("gpu_offers_catalog_offers 240\n", "The metrics.")
  @ApiErrors("invalid_parameter")
  async get(@Query({ schema: noParametersSchema }) _query: unknown, @Res() reply: FastifyReply): Promise<void> {
    const text = await this.metrics.text();
    void reply.header("Cache-Control", "no-store").type(this.metrics.contentType).send(text);
  }
}
