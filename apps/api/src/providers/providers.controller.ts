import { Controller, Get, Inject, Param, Query, Req, Res } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import {
  listOsImagesQuerySchema,
  osImageListSchema,
  PROVIDER_NOT_FOUND,
  providerListSchema,
  type ListOsImagesQuery,
} from "@gpu-offers/domain";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { CATALOG_ANSWERS, type CatalogAnswers } from "../catalog/catalog-answers.js";
import { CatalogAccess } from "../http/access.guard.js";
import { ApiError } from "../http/api-error.js";
import { noParametersSchema } from "../http/parameters.pipe.js";
import { ApiCached, ApiErrors } from "../openapi/decorators.js";
import { exampleOsImageList, exampleProviderList } from "../openapi/examples.js";

const providerParameter = z.object({
  provider: z.string().meta({ description: "Name of a provider.", examples: ["hyperstack"] }),
});

/** Providers and their OS images: interface.md 4.3 and 4.4. */
@ApiTags("Providers")
@CatalogAccess()
@Controller("api/v1/providers")
export class ProvidersController {
  constructor(@Inject(CATALOG_ANSWERS) private readonly answers: CatalogAnswers) {}

  @Get()
  @ApiOperation({ operationId: "listProviders", summary: "List providers", description: "All providers, by name." })
  @ApiCached(providerListSchema, exampleProviderList, "All providers.")
  @ApiErrors("invalid_parameter", "unauthorized", "rate_limited")
  list(
    @Query({ schema: noParametersSchema }) _query: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    const snapshot = this.answers.snapshot();
    this.answers.send(request, reply, snapshot, () => snapshot.providerList);
  }

  @Get(":provider/images")
  @ApiOperation({
    operationId: "listOsImages",
    summary: "List OS images",
    description:
      "Images of a provider, the default one first, then by displayName. Cached for 1 hour: Age and Cache-Control tell how much of it is left.",
  })
  @ApiCached(osImageListSchema, exampleOsImageList, "Images of the provider.", {
    Age: "Seconds of the hour that have passed.",
  })
  @ApiErrors("invalid_parameter", "unauthorized", "rate_limited", ["not_found", PROVIDER_NOT_FOUND])
  listImages(
    @Param({ schema: providerParameter }) { provider }: { provider: string },
    @Query({ schema: listOsImagesQuerySchema }) query: ListOsImagesQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): void {
    const snapshot = this.answers.snapshot();
    const images = snapshot.listImages(provider, query.instance_type);
    if (images === undefined) {
      throw new ApiError("not_found", PROVIDER_NOT_FOUND);
    }
    this.answers.sendForAnHour(request, reply, snapshot, () => images);
  }
}
