import * as z from "zod";
import { isPrice, PRICE_DECIMALS } from "./money.js";

/** A price in USD as we publish it: see {@link isPrice}. */
export const priceSchema = z.number().refine(isPrice, `must be a price from 0 with at most ${PRICE_DECIMALS} decimals`);
