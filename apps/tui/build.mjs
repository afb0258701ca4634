import { readFileSync } from "node:fs";
import { build } from "rolldown";

// One file with everything in it: reading hundreds of modules is half of the start of an unbundled picker.

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

/** Ink connects to React's developer tools when DEV=true; a picker has no use for them. */
const withoutDevtools = {
  name: "without-devtools",
  resolveId: (id) => (id === "react-devtools-core" ? "\0no-devtools" : null),
  load: (id) => (id === "\0no-devtools" ? "export default {}" : null),
};

await build({
  cwd: import.meta.dirname,
  input: { "gpu-offers": "src/main.ts" },
  platform: "node",
  plugins: [withoutDevtools],
  resolve: { extensionAlias: { ".js": [".ts", ".tsx", ".js"] } },
  transform: {
    define: { "process.env.NODE_ENV": '"production"', "process.env.GPU_OFFERS_VERSION": JSON.stringify(version) },
    jsx: "react-jsx",
  },
  logLevel: "warn",
  output: {
    dir: "dist",
    format: "esm",
    minify: true,
    codeSplitting: false,
    banner: "#!/usr/bin/env node",
  },
});
