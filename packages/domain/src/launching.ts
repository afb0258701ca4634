// How a listing is rented: `@gpu-offers/domain/launching`.

export { launch } from "./launch.js";
export { launchPlan, type LaunchPlanChoice } from "./launch-plan.js";
export {
  LAUNCH_KINDS,
  type LaunchChoice,
  type LaunchedListing,
  type LaunchKind,
  type LaunchText,
} from "./launch-text.js";
