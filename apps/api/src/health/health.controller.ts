import { Controller, Get, Header } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import * as z from "zod";
import { Catalog } from "../catalog/catalog.js";
import { PublicAccess } from "../http/access.guard.js";
import { ApiErrors, ApiFresh } from "../openapi/decorators.js";

const liveSchema = z.object({ status: z.literal("live") }).meta({ id: "Live", description: "The process responds." });

const readySchema = z
  .object({
    status: z.literal("ready"),
    revision: z.int().describe("Number of the catalog that is served."),
    offers: z.int().describe("Offers in it."),
  })
  .meta({ id: "Ready", description: "The catalog can be served." });

/** Whether the process is alive, and whether it can respond. */
@ApiTags("Health")
@PublicAccess()
@Controller("health")
export class HealthController {
  constructor(private readonly catalog: Catalog) {}

  @Get("live")
  @Header("Cache-Control", "no-store")
  @ApiOperation({
    operationId: "getLiveness",
    summary: "Is the process alive",
    description: "For restarting it.",
    security: [],
  })
  @ApiFresh(liveSchema, { status: "live" }, "It is.")
  @ApiErrors("invalid_parameter")
  live(): z.output<typeof liveSchema> {
    return { status: "live" };
  }

  @Get("ready")
  @Header("Cache-Control", "no-store")
  @ApiOperation({
    operationId: "getReadiness",
    summary: "Readiness probe",
    description: "For a balancer. It stays true while a catalog can be served, even when the database is gone.",
    security: [],
  })
  @ApiFresh(readySchema, { status: "ready", revision: 1, offers: 240 }, "It can.")
  @ApiErrors("invalid_parameter")
  ready(): z.output<typeof readySchema> {
    const snapshot = this.catalog.getSnapshot();
    return { status: "ready", revision: snapshot.revision.revision, offers: snapshot.offerCount };
  }
}
