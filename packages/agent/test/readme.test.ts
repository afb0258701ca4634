import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

/** A folder with the README's program, a catalog, and the built packages that it imports. */
function install(): string {
  const folder = mkdtempSync(join(tmpdir(), "gpu-offers-agent-"));
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@gpu-offers"), { recursive: true });
  symlinkSync(PACKAGE, join(modules, "@gpu-offers/agent"));
  for (const name of ["@gpu-offers/domain", "@gpu-offers/sources", "@modelcontextprotocol"]) {
    symlinkSync(join(PACKAGE, "node_modules", name), join(modules, name));
  }
  copyFileSync(join(PACKAGE, "../../apps/api/catalog/starter.json"), join(folder, "starter.json"));
  const [, program = ""] = /```ts\n(.*?)```/s.exec(readFileSync(join(PACKAGE, "README.md"), "utf8")) ?? [];
  writeFileSync(join(folder, "serve.mts"), program);
  return folder;
}

test("the README's program serves the tools over stdio", async () => {
  const folder = install();
  try {
    const server = spawn(process.execPath, ["serve.mts"], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
    const clientInfo = { name: "test", version: "1" };
    const find = { name: "find_gpu_offers", arguments: { gpu: ["H100"], limit: 1 } };
    const messages = [
      { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: find },
    ];
    server.stdin.write(messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""));
    let output = "";
    for await (const chunk of server.stdout.setEncoding("utf8")) {
      output += chunk;
      if (/"id":2.*\n/.test(output)) {
        break;
      }
    }
    server.stdin.end();
    server.kill();
    expect(output).toMatch(/H100.*usdPerHour/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
