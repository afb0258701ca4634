/** What the OpenAPI document says before its operations: the essentials of each guide. */
export const DESCRIPTION = `Rentable GPU instance offers of many providers, the providers and their OS images, and the caller's account and credit.

Prices are in USD per hour, sizes in GB. Every operation is a GET.

**Authentication.** Send an API key as \`Authorization: Bearer <key>\`. It is an opaque string that begins with \`gpo_\`. Account operations require one; for the catalog it is optional, unless the operator requires it. [Guide](/docs/guides/authentication)

**Paging.** Pages are numbered from 0 and hold 25 offers, or \`size\` up to 100. Read on while \`hasMore\` is true. [Guide](/docs/guides/paging)

**Errors.** Every status of 400 or above has the same JSON body, with a \`code\` from a closed list. Unknown, repeated and malformed parameters are errors, never ignored. [Guide](/docs/guides/errors)

**Price with a disk.** If \`storageMinGB\` equals \`storageMaxGB\` and \`storageCostPerGB\` is 0, the disk is included. Otherwise the price is \`priceHourly + disk_gb * storageCostPerGB\`. If \`costDataComplete\` is false, read it as "at least". [Guide](/docs/guides/price)

**Caching.** Catalog responses carry an \`ETag\`; \`If-None-Match\` gets a 304 while nothing has changed. [Guide](/docs/guides/caching)

**Limits.** If the operator limits rates, responses carry \`RateLimit-*\` headers, and a 429 says in \`Retry-After\` how long to wait. [Guide](/docs/guides/limits)

**Versions.** Within /api/v1, fields and values are only added. Ignore those you don't know. [Guide](/docs/guides/versions)`;
