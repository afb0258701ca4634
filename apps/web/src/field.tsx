import type { FunctionComponent } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { LISTING_PARAMETERS, type ListingParameter, type ListingParameterName } from "@gpu-offers/domain";
import type { Page } from "./page.js";

/**
 * A field of a number, a text or known values. What can't be read stays in the field, marked, and has no effect. As a part of
 * the job, it has words around it, and shows what the words of the query say of it.
 */
export const Field: FunctionComponent<{ page: Page; name: ListingParameterName; isOfJob?: boolean }> = ({
  page,
  name,
  isOfJob = false,
}) => {
  const { control, kind }: ListingParameter = LISTING_PARAMETERS[name];
  const valueOf = (): string =>
    page.state.address.given.get(name) ?? (isOfJob ? page.job.get(name)?.text : undefined) ?? "";
  const given = valueOf();
  const isText = kind === "text" || kind === "names";
  // Without the equals signs that say which names are exact
  const shown = kind === "names" ? given.replaceAll("=", "") : given;
  const [text, setText] = useState(shown);
  const own = useRef(given);
  // At once: later, it would undo what is typed meanwhile
  useLayoutEffect(() => {
    if (own.current !== given) {
      own.current = given;
      setText(shown);
    }
  }, [given]);
  const job = isOfJob ? control?.job : undefined;
  const after = (page.state.address.given.has(name) ? undefined : page.job.get(name)?.after) ?? job?.after;
  return (
    <label>
      {job?.before ?? control?.label} {job !== undefined && <span class="unseen">{control?.label} </span>}
      {job !== undefined && control?.known !== undefined ? (
        <select name={name} onChange={(event) => page.set(name, event.currentTarget.value)}>
          {["", ...new Set([...(text === "" ? [] : [text]), ...control.known])].map((value) => (
            <option key={value} value={value} selected={value === text}>
              {value === "" ? job.example : value}
            </option>
          ))}
        </select>
      ) : (
        <input
          name={name}
          inputMode={isText ? "text" : "decimal"}
          list={job !== undefined && kind === "names" ? `${name}-names` : undefined}
          placeholder={job?.example}
          autocomplete="off"
          value={text}
          aria-invalid={text.trim() !== "" && given === ""}
          onInput={(event) => {
            const value = event.currentTarget.value.trim();
            setText(event.currentTarget.value);
            own.current = value;
            page.set(name, value);
            own.current = valueOf();
          }}
        />
      )}
      {after !== undefined && ` ${after}`}
    </label>
  );
};
