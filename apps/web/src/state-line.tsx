import type { FunctionComponent } from "preact";
import type { Part } from "./part.js";

/** Says that a part is loading, or why it failed, with a button to load it again; nothing once it's ready. */
export const StateLine: FunctionComponent<{ part: Part<unknown>; what: string }> = ({ part, what }) => {
  if (part.problem !== undefined) {
    return (
      <p class="notice" role="alert">
        {what}: {part.problem}{" "}
        <button class="link" onClick={() => part.retry()}>
          Retry
        </button>
      </p>
    );
  }
  return part.status === "ready" || part.value !== undefined ? null : <p class="waiting">{what}: loading …</p>;
};
