import type { FunctionComponent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { LISTING_PARAMETERS, type ListingParameter, type ListingParameterName } from "@gpu-offers/domain";
import type { Page } from "./page.js";

/** A field of a number or a text. What can't be read stays in the field, marked, and has no effect. */
export const Field: FunctionComponent<{ page: Page; name: ListingParameterName }> = ({ page, name }) => {
  const { control, kind }: ListingParameter = LISTING_PARAMETERS[name];
  const given = page.state.address.given.get(name) ?? "";
  const [text, setText] = useState(given);
  const own = useRef(given);
  useEffect(() => {
    if (own.current !== given) {
      own.current = given;
      setText(given);
    }
  }, [given]);
  return (
    <label>
      {control?.label}{" "}
      <input
        name={name}
        inputMode={kind === "text" || kind === "names" ? "text" : "decimal"}
        autocomplete="off"
        value={text}
        aria-invalid={text.trim() !== "" && given === ""}
        onInput={(event) => {
          const value = event.currentTarget.value.trim();
          setText(event.currentTarget.value);
          own.current = value;
          page.set(name, value);
          own.current = page.state.address.given.get(name) ?? "";
        }}
      />
    </label>
  );
};
