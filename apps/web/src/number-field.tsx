import type { FunctionComponent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ListingParameterName } from "@gpu-offers/domain";
import type { Page } from "./page.js";

/** A field of a quantity. What can't be read stays in the field, marked, and has no effect. */
export const NumberField: FunctionComponent<{ page: Page; name: ListingParameterName; label: string }> = ({
  page,
  name,
  label,
}) => {
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
      {label}{" "}
      <input
        name={name}
        inputMode="decimal"
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
