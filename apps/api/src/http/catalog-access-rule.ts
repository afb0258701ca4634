/** Whether the catalog needs an API key (REQUIRE_API_KEY); a class, so that Nest can inject it. */
export class CatalogAccessRule {
  constructor(readonly isKeyRequired: boolean) {}
}
