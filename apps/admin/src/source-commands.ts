import type { Command } from "commander";
import { loadSourceModules } from "@gpu-offers/fetch/source-modules";
import { readSharedSettings } from "@gpu-offers/sync/settings";
import type { Distribution } from "./distribution.js";
import { addSourceAccept } from "./source-accept.js";
import { addSourceDisable, addSourceEnable } from "./source-enable.js";
import { addSourceList, addSourceShow, addSourceStatus } from "./source-status.js";
import { addSourceSync } from "./source-sync.js";
import { addSourceRecord, addSourceTest } from "./source-test.js";

/** `source list|enable|disable|sync|status|show|accept|test|record`. */
export function addSourceCommands(program: Command, { starterCatalog }: Distribution): void {
  const source = program.command("source").description("Manage live price sources");
  source.hook("preAction", () => loadSourceModules(readSharedSettings(process.env)));
  addSourceList(source);
  addSourceEnable(source);
  addSourceDisable(source);
  addSourceSync(source);
  addSourceStatus(source);
  addSourceShow(source);
  addSourceAccept(source);
  addSourceTest(source, starterCatalog);
  addSourceRecord(source);
}
