import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { startService } from "@gpu-offers/testkit/service";
import { recordSession } from "./record-session.ts";
import { svgOf } from "./svg.ts";
import type * as Tables from "./tables.ts";

// Writes the generated parts of docs/picker.md from the code and the running program. It needs tmux, jq, and builds of the
// service and the picker:
//   npx -y pnpm@12 exec node apps/tui/docs/write-page.ts

const PAGE = fileURLToPath(new URL("../../../docs/picker.md", import.meta.url));
const RECORDING = fileURLToPath(new URL("../../../docs/picker.svg", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../dist/gpu-offers.js", import.meta.url));

const { exitTable, keyLists, withPart } = await tables();
const folder = mkdtempSync(join(tmpdir(), "gpu-offers-page-"));
const service = await startService({ databasePath: join(folder, "catalog.sqlite") });
try {
  const session = await recordSession({ folder, url: service.url, program: PROGRAM });
  let page = readFileSync(PAGE, "utf8");
  page = withPart(page, "keys", keyLists());
  page = withPart(page, "exit codes", exitTable());
  for (const { name, screen } of session.steps) {
    if (page.includes(`<!-- ${name} screen -->`)) {
      page = withPart(page, `${name} screen`, fenced(screen));
    }
  }
  writeFileSync(PAGE, page);
  const frames = session.steps.map(({ styled }) => ({ screen: styled, seconds: 2.5 }));
  writeFileSync(RECORDING, await svgOf(frames, 80, 24));
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

function fenced(text: string): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}

/** The tables are sources of the picker, which Node alone cannot run: they name their imports as the build has them. */
async function tables(): Promise<typeof Tables> {
  const { output } = await build({
    input: fileURLToPath(new URL("tables.ts", import.meta.url)),
    platform: "node",
    resolve: { extensionAlias: { ".js": [".ts", ".tsx", ".js"] } },
    write: false,
  });
  const code = Buffer.from(output[0].code).toString("base64");
  return (await import(`data:text/javascript;base64,${code}`)) as typeof Tables;
}
