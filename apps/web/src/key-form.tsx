import type { FunctionComponent } from "preact";
import type { Page } from "./page.js";

export const KeyForm: FunctionComponent<{ page: Page; problem: string }> = ({ page, problem }) => (
  <form
    class="key"
    onSubmit={(event) => {
      event.preventDefault();
      const key = new FormData(event.currentTarget).get("key");
      void page.useKey(typeof key === "string" ? key : "");
    }}
  >
    <p role="alert">{problem} The key is kept in this tab until you close it.</p>
    <label>
      API key <input name="key" type="password" autocomplete="off" required autofocus />
    </label>{" "}
    <button class="chip strong">Show offers</button>
  </form>
);
