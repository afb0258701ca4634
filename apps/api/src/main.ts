#!/usr/bin/env node
import "./start.js";
import { Loader } from "./catalog/loader.js";

// The service's program. With arguments, it serves nothing.
const loader = process.argv.length > 2 ? undefined : new Loader();
// Imported dynamically, after the start: static imports would be loaded before it.
const { run } = await import("./service-process.js");
await run(process.argv.slice(2), loader);
