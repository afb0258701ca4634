import * as z from "zod";
import { isPrice, MAX_PRICE, PRICE_DECIMALS } from "./money.js";

/** A price in USD as readers accept it: up to {@link MAX_PRICE}, with any number of decimals. */
export const usdSchema = z.number().min(0).max(MAX_PRICE);

/** A price in USD as we publish it: see {@link isPrice}. */
export const priceSchema = z.number().refine(isPrice, `must be a price from 0 with at most ${PRICE_DECIMALS} decimals`);
