// Prices over time, and how often machines were in stock: `@gpu-offers/domain/history`. Pages don't need the rules.

export {
  addStockChange,
  addStockDays,
  gpuStock,
  readStockChanges,
  STOCK_DAYS,
  stockCoverage,
  stockSpans,
  stockSteps,
  stockSum,
} from "./market/stock-memory.js";
export type { GpuStock, StockCoverage, StockMark, StockSpan } from "./market/stock-memory.js";
export type { StockSum } from "./offer/listing-schema.js";
export { gpuStockSchema, listingStockQuerySchema, listingStockSchema } from "./market/stock-schema.js";
export {
  MAX_PRICE_CHANGES,
  priceHistoryQuerySchema,
  priceHistorySchema,
  pricePointSchema,
} from "./market/price-history-schema.js";
export type { GpuStockList, ListingStock, ListingStockQuery } from "./market/stock-schema.js";
export {
  countSeriesTimes,
  everyHour,
  KNOWN_FOR_MS,
  newMachines,
  priceChange,
  priceDate,
  priceSeries,
  priceSteps,
  seriesOfSteps,
  stepStart,
  type MachineDay,
  type MachinePrices,
  type MarketPoint,
  type NewMachines,
  type PriceStep,
  type SellerPoint,
  type SeriesRange,
} from "./market/price-series.js";
