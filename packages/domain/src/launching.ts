// How a listing is rented: `@gpu-offers/domain/launching`.

export { askedDisk, launchDisk, type LaunchDisk } from "./launch/launch-disk.js";
export { launchPlan, type LaunchPlanChoice } from "./launch/launch-plan.js";
export { LAUNCH_KINDS, type LaunchChoice, type LaunchedListing, type LaunchKind } from "./launch/launch-text.js";
export { alikeQuery, isAlike, MAX_ALIKE, planOfTop } from "./launch/plan-of-several.js";
export { rentUrl } from "./launch/rent-url.js";
