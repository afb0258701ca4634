import type { FunctionComponent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  controls,
  countOf,
  countText,
  JOB_FILTERS,
  memoizeLast,
  pageQuery,
  toggled,
  valueCounts,
  type Address,
  type Control,
  type ControlValue,
  type Result,
} from "@gpu-offers/list";
import type { Catalog } from "./catalog.js";
import { Field } from "./field.js";
import type { Page } from "./page.js";

const controlsOf = memoizeLast(
  ({ index, list }: Catalog, result: Result, given: Address["given"]): readonly Control[] =>
    controls(pageQuery(given), result, valueCounts({ index, images: list.images }, result)),
);

/** Number of values of a group that are shown at first. */
const FIRST_VALUES = 8;

/** The filters beside the list; a sheet on a phone. */
export const Facets: FunctionComponent<{ page: Page; isOpen: boolean; onClose: () => void }> = ({
  page,
  isOpen,
  onClose,
}) => {
  const { catalog, result, address } = page.state;
  const close = useRef<HTMLButtonElement>(null);
  const [isMoreOpen, setMoreOpen] = useState(false);
  useEffect(() => {
    if (isOpen) {
      close.current?.focus();
    }
  }, [isOpen]);
  if (catalog === undefined || result === undefined) {
    return null;
  }
  const filters = controlsOf(catalog, result, address.given);
  const isMoreGiven = filters.some(({ name, place }) => place === "more" && address.given.has(name));
  const shown = (place: Control["place"]) =>
    filters.map(
      (control) =>
        control.place === place &&
        (control.kind === "values" || !JOB_FILTERS.includes(control.name)) && (
          <Filter key={control.name} page={page} control={control} />
        ),
    );
  return (
    <aside
      class={`facets${isOpen ? " is-open" : ""}`}
      aria-label="Filters"
      onKeyDown={(event) => {
        if (event.key === "Escape" && isOpen) {
          event.stopPropagation();
          onClose();
        }
      }}
    >
      <button ref={close} class="chip strong done" onClick={onClose}>
        Show {countOf(result.positions.length, "offer")}
      </button>
      {shown("first")}
      <details open={isMoreOpen || isMoreGiven} onToggle={(event) => setMoreOpen(event.currentTarget.open)}>
        <summary>More filters</summary>
        {shown("more")}
      </details>
    </aside>
  );
};

const Filter: FunctionComponent<{ page: Page; control: Control }> = ({ page, control }) => {
  const { name, label } = control;
  const toggle = (value?: string): void =>
    page.setFrom(toggled(pageQuery(page.state.address.given), control, value), [name]);
  switch (control.kind) {
    case "number":
    case "text":
      return <Field page={page} name={name} />;
    case "switch":
      return (
        <label class="check">
          <input type="checkbox" name={name} checked={control.isSet} onChange={() => toggle()} />
          {label}
        </label>
      );
    case "choice":
      return (
        <label>
          {label}{" "}
          <select name={name} onChange={(event) => page.set(name, event.currentTarget.value)}>
            {control.values.map(({ value, label: text, isSet }) => (
              <option key={value} value={value} selected={isSet}>
                {text}
              </option>
            ))}
          </select>
        </label>
      );
    case "values":
      return <Group title={label} values={control.values} onToggle={toggle} />;
  }
};

/** A group of check boxes: one stop of the Tab key; arrows move in it. */
const Group: FunctionComponent<{
  title: string;
  values: readonly ControlValue[];
  onToggle: (value: string) => void;
}> = ({ title, values, onToggle }) => {
  const [isWhole, setWhole] = useState(false);
  const [current, setCurrent] = useState("");
  const shown = isWhole ? values : values.slice(0, Math.max(FIRST_VALUES, values.filter(({ isSet }) => isSet).length));
  if (values.length === 0) {
    return null;
  }
  const stop = shown.some(({ value }) => value === current) ? current : shown[0]?.value;
  return (
    <fieldset
      onKeyDown={(event) => {
        const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
        const boxes = [...event.currentTarget.querySelectorAll<HTMLInputElement>("input")];
        const next = boxes[boxes.findIndex((box) => box === event.target) + step];
        if (step !== 0 && next !== undefined) {
          event.preventDefault();
          event.stopPropagation();
          next.focus();
        }
      }}
    >
      <legend>{title}</legend>
      {shown.map(({ value, label, count, isSet }) => (
        <label key={value} class="check">
          <input
            type="checkbox"
            checked={isSet}
            tabIndex={value === stop ? 0 : -1}
            onFocus={() => setCurrent(value)}
            onChange={() => onToggle(value)}
          />
          <span>{label}</span> <span class="number">{countText(count ?? 0)}</span>
        </label>
      ))}
      {values.length > shown.length && (
        <button
          class="link"
          onClick={(event) => {
            event.currentTarget.closest("fieldset")?.querySelector<HTMLElement>("input[tabindex='0']")?.focus();
            setWhole(true);
          }}
        >
          {countText(values.length - shown.length)} more
        </button>
      )}
    </fieldset>
  );
};
