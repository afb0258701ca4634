import { understoodText, type Understood } from "@gpu-offers/domain";
import { quoted } from "@gpu-offers/list";
import { Fragment, type FunctionComponent } from "preact";
import type { Page } from "./page.js";

/** What words were taken for, with the other reading of doubtful ones. */
export const ReadAs: FunctionComponent<{ page: Page; understood: readonly Understood[] }> = ({ page, understood }) => {
  const words = page.state.address.given.get("q") ?? "";
  return (
    <>
      {understood.map(({ text, instead, ...one }, index) => (
        <Fragment key={text}>
          {index === 0 ? " · read as " : "; "}
          {understoodText({ ...one, instead, text: quoted(text) })}
          {instead === undefined ? "" : " "}
          {instead !== undefined && (
            <button class="link" onClick={() => page.setAll([["q", words.replace(text, () => instead)]])}>
              {instead === "" ? `without ${quoted(text)}` : `take it as ${quoted(instead)}`}
            </button>
          )}
        </Fragment>
      ))}
    </>
  );
};
