// How a listing is rented: `@gpu-offers/domain/launching`.

export { launch, type Launch } from "./launch/launch.js";
export { CEILING_PERCENT } from "./launch/launch-ceiling.js";
export { launchDisk, type LaunchDisk } from "./launch/launch-disk.js";
export { launchPlan, type LaunchPlanChoice } from "./launch/launch-plan.js";
export {
  LAUNCH_KINDS,
  type LaunchChoice,
  type LaunchedListing,
  type LaunchKind,
  type LaunchText,
  type MissingText,
} from "./launch/launch-text.js";
export { rentUrl } from "./launch/rent-url.js";
