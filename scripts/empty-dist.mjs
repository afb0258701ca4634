// Empties the build folder of the package that calls it. tsc never deletes the output of removed source files, and
// everything in dist gets packed and cached.
import { rmSync } from "node:fs";

rmSync("dist", { recursive: true, force: true });
