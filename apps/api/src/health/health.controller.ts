import { Controller, Get } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import * as z from "zod";
import { Catalog } from "../catalog/catalog.js";
import { Access } from "../http/access.guard.js";
import { unavailable } from "../wire/api-error.js";
import { ApiFresh } from "../openapi/decorators.js";

const liveSchema = z
  .object({
    status: z.literal("live"),
    version: z.string().describe("Version of the software, and in packages date and hash of its commit."),
  })
  .meta({ id: "Live", description: "The process is alive." });

const readySchema = z
  .object({
    status: z.literal("ready"),
    revision: z.int().describe("Revision of the served catalog."),
    offers: z.int().describe("Number of offers in the served catalog."),
  })
  .meta({ id: "Ready", description: "The service is ready." });

@ApiTags("Health")
@Access("public")
@Controller("health")
export class HealthController {
  constructor(private readonly catalog: Catalog) {}

  @Get("live")
  @ApiOperation({
    summary: "Liveness probe",
    description: "Returns 200 while the process is alive. Restart the service if it fails.",
    security: [],
  })
  @ApiFresh(liveSchema, { status: "live", version: "0.1.0+20261126.1a2b3c4d" }, "The process is alive.")
  getLiveness(): z.output<typeof liveSchema> {
    return { status: "live", version: this.catalog.formatVersion };
  }

  @Get("ready")
  @ApiOperation({
    summary: "Readiness probe",
    description:
      "Returns 200 while the service can serve a catalog, even if the database is unreachable; 503 if the file of the database was deleted or replaced. Use it for load balancing.",
    security: [],
  })
  @ApiFresh(readySchema, { status: "ready", revision: 1, offers: 240 }, "The service is ready.")
  getReadiness(): z.output<typeof readySchema> {
    const snapshot = this.catalog.getSnapshot();
    if (this.catalog.isReplaced) {
      throw unavailable("The database's file was deleted or replaced; see the log.");
    }
    return { status: "ready", revision: snapshot.revision.revision, offers: snapshot.offerCount };
  }
}
