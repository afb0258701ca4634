// Empties the build folder of the package that calls it. tsc never deletes the output of a source file that is gone,
// and what lies in dist is packed and cached.
import { rmSync } from "node:fs";

rmSync("dist", { recursive: true, force: true });
