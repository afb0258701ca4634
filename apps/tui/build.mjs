import { readFileSync } from "node:fs";
import { build } from "rolldown";

// A few files with everything in them: reading hundreds of modules is half of the start of an unbundled picker. What
// only the screen needs is a file of its own, so that scripts do not wait for it.

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

/** Ink connects to React's developer tools when DEV=true; a picker has no use for them. */
const withoutDevtools = {
  name: "without-devtools",
  resolveId: (id) => (id === "react-devtools-core" ? "\0no-devtools" : null),
  load: (id) => (id === "\0no-devtools" ? "export default {}" : null),
};

await build({
  cwd: import.meta.dirname,
  input: { "gpu-offers": "src/start.ts" },
  platform: "node",
  plugins: [withoutDevtools],
  resolve: { extensionAlias: { ".js": [".ts", ".tsx", ".js"] } },
  transform: {
    define: { "process.env.NODE_ENV": '"production"', "process.env.GPU_OFFERS_VERSION": JSON.stringify(version) },
  },
  logLevel: "warn",
  output: {
    dir: "dist",
    cleanDir: true,
    chunkFileNames: "[name].js",
    format: "esm",
    minify: true,
    banner: "#!/usr/bin/env node",
  },
});
