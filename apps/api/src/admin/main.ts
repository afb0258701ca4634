#!/usr/bin/env node
import "../start.js";

// The operator's program. Imported dynamically, after the start: static imports would be loaded before it.
await import("./command-line.js");
