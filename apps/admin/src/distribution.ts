/** What the commands get from the package that they are published in. */
export interface Distribution {
  version: string;
  /** The starter catalog in native format. */
  starterCatalog: URL;
}
