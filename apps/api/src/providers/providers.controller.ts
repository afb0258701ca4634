import { Controller, Get, Param } from "@nestjs/common";
import { ApiOperation, ApiTags } from "@nestjs/swagger";
import {
  listOsImagesQuerySchema,
  osImageListSchema,
  PROVIDER_NOT_FOUND,
  providerListSchema,
  type ListOsImagesQuery,
} from "@gpu-offers/domain";
import * as z from "zod";
import { Catalog } from "../catalog/catalog.js";
import type { Representation } from "../catalog/snapshot.js";
import { Access } from "../http/access.guard.js";
import { ValidQuery } from "../http/parameters.pipe.js";
import { ApiCached } from "../openapi/decorators.js";
import { exampleOsImageList, exampleProviderList } from "../openapi/examples.js";
import { ApiError } from "../wire/api-error.js";

const providerParameter = z.object({
  provider: z.string().meta({ description: "Name of a provider.", examples: ["hyperstack"] }),
});

@ApiTags("Providers")
@Access("catalog")
@Controller({ path: "providers", version: "1" })
export class ProvidersController {
  constructor(private readonly catalog: Catalog) {}

  @Get()
  @ApiOperation({ summary: "List providers", description: "Returns all providers, sorted by name." })
  @ApiCached(providerListSchema, exampleProviderList, "All providers.", { hasAge: true })
  listProviders(): Representation {
    return this.catalog.getSnapshot().listProviders();
  }

  @Get(":provider/images")
  @ApiOperation({
    summary: "List OS images",
    description:
      "Returns the OS images of a provider: the default image first, then by displayName. Results are cached for 1 hour; see the Age and Cache-Control headers.",
  })
  @ApiCached(osImageListSchema, exampleOsImageList, "The provider's images.", {
    notFound: PROVIDER_NOT_FOUND,
    hasAge: true,
    more: { Age: "Seconds since the result was cached." },
  })
  listOsImages(
    @Param({ schema: providerParameter }) { provider }: { provider: string },
    @ValidQuery(listOsImagesQuerySchema) query: ListOsImagesQuery,
  ): Representation {
    const images = this.catalog.getSnapshot().findImages(provider, query.instance_type);
    if (images === undefined) {
      throw new ApiError("not_found", PROVIDER_NOT_FOUND);
    }
    return images;
  }
}
