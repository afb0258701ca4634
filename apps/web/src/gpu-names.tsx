import type { FunctionComponent } from "preact";
import type { Page } from "./page.js";

/** The GPUs of the catalog, which the field of the job suggests. */
export const GpuNames: FunctionComponent<{ page: Page }> = ({ page }) => (
  <datalist id="gpu-names">
    {page.state.catalog?.list.columns.values.gpu
      .map(({ slug, name }) => (
        <option key={slug} value={slug}>
          {name}
        </option>
      ))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))}
  </datalist>
);
