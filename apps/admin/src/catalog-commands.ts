import type { Command } from "commander";
import { addCatalogCheck } from "./catalog-check.js";
import { addCatalogDisks } from "./catalog-disks.js";
import { addCatalogExport } from "./catalog-export.js";
import { addCatalogHistory } from "./catalog-history.js";
import { addCatalogImport } from "./catalog-import.js";
import { addCatalogRemove } from "./catalog-remove.js";
import { addCatalogStatus } from "./catalog-status.js";

/** `catalog`: manages what the service serves. */
export function addCatalogCommands(program: Command): void {
  const catalog = program.command("catalog").description("Manage the offers, providers and images that are served");
  addCatalogImport(catalog);
  addCatalogStatus(catalog);
  addCatalogCheck(catalog);
  addCatalogDisks(catalog);
  addCatalogExport(catalog);
  addCatalogHistory(catalog);
  addCatalogRemove(catalog);
}
