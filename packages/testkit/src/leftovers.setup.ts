import { afterAll } from "vitest";
import { removeLeftovers } from "./leftovers.ts";

afterAll(removeLeftovers);
