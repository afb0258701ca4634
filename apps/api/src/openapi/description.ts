/** Introduction of the OpenAPI document: the essentials of each guide. */
export const DESCRIPTION = `Browse rentable GPU instance offers of many providers, list providers and their OS images, and read your account and prepaid credit.

Prices are in USD per hour, sizes in GB. Every operation is a GET.

**Authentication.** Send an API key as \`Authorization: Bearer <key>\`. Keys are opaque strings that begin with \`gpo_\`. Account operations require a key. Catalog operations require one only if the operator configured the service that way. [Guide](/docs/guides/authentication)

**Paging.** Pages are numbered from 0. The default page size is 25, the maximum 100. Request the next page while \`hasMore\` is true. [Guide](/docs/guides/paging)

**Errors.** All responses with status 400 or above have the same JSON body, with a \`code\` from a closed list. Unknown, repeated and malformed parameters are errors; they are never ignored. [Guide](/docs/guides/errors)

**Price with a disk.** If \`storageMinGB\` equals \`storageMaxGB\` and \`storageCostPerGB\` is 0, the disk is included. Otherwise the price is \`priceHourly + disk_gb * storageCostPerGB\`. If \`costDataComplete\` is false, the price is a lower bound. [Guide](/docs/guides/price)

**GPUs.** \`GET /api/v2/gpus\` lists all slugs with figures, sources and prices; \`GET /api/v2/gpus/{slug}/prices\` has prices over time. [Guide](/docs/guides/gpus)

**Caching.** Catalog responses have an \`ETag\`. Send it in \`If-None-Match\` to get a 304 if nothing has changed. [Guide](/docs/guides/caching)

**Limits.** If rate limiting is on, responses have \`RateLimit-*\` headers. A 429 response says in \`Retry-After\` how long to wait. [Guide](/docs/guides/limits)

**Versions.** Within /api/v1 and /api/v2, fields and values may be added, but are never changed or removed. Ignore unknown ones. [Guide](/docs/guides/versions)`;
