#!/usr/bin/env node
import "../node-version.js";
import { enableCompileCache } from "node:module";

// Compiled code is kept from one start to the next; everything else is in command-line.
enableCompileCache();
await import("./command-line.js");
