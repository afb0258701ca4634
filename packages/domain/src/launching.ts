// How a listing is rented: `@gpu-offers/domain/launching`.

export { launch } from "./launch/launch.js";
export { launchPlan, type LaunchPlanChoice } from "./launch/launch-plan.js";
export {
  LAUNCH_KINDS,
  type LaunchChoice,
  type LaunchedListing,
  type LaunchKind,
  type LaunchText,
} from "./launch/launch-text.js";
export { rentUrl } from "./launch/rent-url.js";
