import type { FunctionComponent } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import {
  cudaVersions,
  imageSystem,
  providersWithImage,
  readParameter,
  type ListingParameterName,
} from "@gpu-offers/domain";
import { countOf, countText, type ListingFacet, type ValueCount } from "@gpu-offers/list";
import { NumberField } from "./number-field.js";
import { facetsOf } from "./evaluate.js";
import type { Page } from "./page.js";

/** Number of values of a group that are shown at first. */
const FIRST_VALUES = 8;

const GROUPS: readonly (readonly [facet: ListingFacet, parameter: ListingParameterName, title: string])[] = [
  ["gpu", "gpu", "GPU"],
  ["provider", "provider", "Provider"],
  ["continent", "continent", "Continent"],
  ["country", "country", "Country"],
  ["seller", "seller", "Seller"],
  ["deploymentType", "deployment_type", "Kind"],
  ["region", "region", "Region"],
];

const NUMBERS: readonly (readonly [ListingParameterName, string])[] = [
  ["min_gpu_count", "Min GPUs"],
  ["max_gpu_count", "Max GPUs"],
  ["min_vram", "Min VRAM GB"],
  ["max_price", "Max $/GPU-h"],
  ["max_total", "Max $/h with disk"],
  ["budget", "Budget $"],
];

const SWITCHES: readonly (readonly [ListingParameterName, value: string, label: string])[] = [
  ["available", "true", "Available only"],
  ["nvlink", "true", "NVLink"],
  ["spot", "true", "Spot prices"],
];

/** The filters beside the list; a sheet on a phone. */
export const Facets: FunctionComponent<{ page: Page; isOpen: boolean; onClose: () => void }> = ({
  page,
  isOpen,
  onClose,
}) => {
  const { catalog, result, address } = page.state;
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) {
      close.current?.focus();
    }
  }, [isOpen]);
  if (catalog === undefined || result === undefined) {
    return null;
  }
  const counts = facetsOf(catalog, result);
  const { filter } = result.selection;
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
      <button ref={close} class="chip strong done only-narrow" onClick={onClose}>
        Show {countOf(result.positions.length, "offer")}
      </button>
      {NUMBERS.map(([name, label]) => (
        <NumberField key={name} page={page} name={name} label={label} />
      ))}
      {SWITCHES.map(([name, value, label]) => (
        <label key={name} class="check">
          <input
            type="checkbox"
            checked={address.given.get(name) === value}
            onChange={(event) => page.set(name, event.currentTarget.checked ? value : "")}
          />
          {label}
        </label>
      ))}
      {GROUPS.map(([facet, parameter, title]) => (
        <Group
          key={facet}
          title={title}
          values={valuesOf(counts[facet], filter[facet] ?? [])}
          onToggle={(value, isSet) => {
            const chosen = filter[facet] ?? [];
            const next = isSet ? [...chosen, value] : chosen.filter((other) => other !== value);
            // Without the equals sign, some slugs are names of families: a100-40gb is all A100 of 40 GB
            page.set(parameter, next.map((one) => (facet === "gpu" ? `=${one}` : one)).join(","));
          }}
        />
      ))}
      <ImageGroup page={page} counts={counts.image} name="os" title="OS image" />
      <ImageGroup page={page} counts={counts.image} name="cuda" title="CUDA version" />
    </aside>
  );
};

interface FacetValue extends ValueCount {
  value: string;
  isSet: boolean;
}

function valuesOf(counts: ReadonlyMap<string, ValueCount>, chosen: readonly string[]): FacetValue[] {
  const all = new Map([...chosen.map((value) => [value, { label: value, count: 0 }] as const), ...counts]);
  return [...all]
    .map(([value, { label, count }]) => ({ label, count, value, isSet: chosen.includes(value) }))
    .filter(({ value, isSet }) => isSet || canBeNamed(value))
    .sort((a, b) => Number(b.isSet) - Number(a.isSet) || b.count - a.count || (a.label < b.label ? -1 : 1));
}

/** Some regions have commas that a list can't hold. */
function canBeNamed(value: string): boolean {
  const read = readParameter("region", value);
  return read.ok && Array.isArray(read.value) && read.value.length === 1;
}

/** A group of check boxes: one stop of the Tab key; arrows move in it. */
const Group: FunctionComponent<{
  title: string;
  values: readonly FacetValue[];
  onToggle: (value: string, isSet: boolean) => void;
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
            onChange={(event) => onToggle(value, event.currentTarget.checked)}
          />
          <span>{label}</span> <span class="number">{countText(count)}</span>
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

/** Images belong to providers, so a value matches all offers of the providers that have such an image. */
const ImageGroup: FunctionComponent<{
  page: Page;
  counts: ReadonlyMap<string, ValueCount>;
  name: "os" | "cuda";
  title: string;
}> = ({ page, counts, name, title }) => {
  const { catalog, address } = page.state;
  const images = catalog?.list.images ?? new Map();
  const all = [...images.values()].flat();
  const chosen = address.given.get(name);
  const wanted = { os: address.given.get("os"), cuda: address.given.get("cuda") };
  const names = new Set(all.flatMap((image) => (name === "os" ? (imageSystem(image) ?? []) : cudaVersions(image))));
  const values = [...names].flatMap((value): FacetValue[] => {
    const providers = providersWithImage(images, { ...wanted, [name]: value });
    const count = providers.reduce((sum, provider) => sum + (counts.get(provider)?.count ?? 0), 0);
    return count === 0 && value !== chosen ? [] : [{ value, label: value, count, isSet: value === chosen }];
  });
  return (
    <Group
      title={title}
      values={values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))}
      onToggle={(value, isSet) => page.set(name, isSet ? value : "")}
    />
  );
};
