import type { FunctionComponent } from "preact";
import {
  gpuText,
  placesText,
  placeText,
  printable,
  stockNote,
  usualStock,
  type ListingRow,
  type Result,
} from "@gpu-offers/list";
import { identityAt, listingAt, type Catalog } from "./catalog.js";
import { medianText, type Layout } from "./list-columns.js";
import type { Page } from "./page.js";

/** A row of the list: an offer, or a group of equal ones in several places. */
export const Row: FunctionComponent<{
  page: Page;
  catalog: Catalog;
  result: Result;
  row: ListingRow;
  layout: Layout;
  top: number;
  index: number;
  isCurrent: boolean;
}> = ({ page, catalog, result, row, layout: { cells, isWide }, top, index, isCurrent }) => {
  const { offer, verified, availability } = listingAt(catalog, row.at, result.isSpot);
  const places = row.places?.map((at) => listingAt(catalog, at, result.isSpot).offer);
  const isOpen = places !== undefined && page.state.open.has(identityAt(catalog, row.at).kind);
  const where = places === undefined ? placeText(offer) : placesText(places).replace(" ›", isOpen ? " ▾" : " ▸");
  const name = gpuText(offer);
  const provider = `${printable(offer.provider.name)}${verified === false ? " (unverified)" : ""}`;
  const below = isWide ? "" : medianText(offer, catalog, result, page);
  const isStale = catalog.list.stale[row.at] === 1;
  const isOff = availability === "sold_out";
  const state = `${stockNote(availability, usualStock(catalog.index))}${isStale ? " · stale price" : ""}`;
  return (
    <tr
      role="row"
      class={`row${isOff ? " off" : ""}${isCurrent ? " is-current" : ""}${row.isMember ? " member" : ""}`}
      aria-rowindex={index}
      style={{ top: `${top}px` }}
      onClick={(event) => {
        if (event.target instanceof HTMLElement && event.target.closest("button, input, label") === null) {
          activate();
        }
      }}
    >
      <td role="cell" class="mark">
        {places === undefined && (
          <label>
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={`Compare ${name}, ${offer.provider.name} ${where}`}
              checked={page.marks.of(row.at) !== undefined}
              onClick={(event) => {
                event.preventDefault();
                void page.marks.toggle(row.at);
              }}
            />
          </label>
        )}
      </td>
      <th role="rowheader" scope="row" class="c-gpu">
        <button
          class="open"
          tabIndex={isCurrent ? 0 : -1}
          aria-expanded={places === undefined ? undefined : isOpen}
          onFocus={() => !isCurrent && page.moveTo(row.at)}
          onClick={activate}
        >
          <span class="gpu">{name}</span>
        </button>
        {below.endsWith("below") && <span class="good below">{below}</span>}
        {!isWide && (
          <span class="sub">
            {provider} · {where}
            {state}
          </span>
        )}
      </th>
      {isWide && <td role="cell">{provider}</td>}
      {isWide && (
        <td role="cell" title={`${where}${state}`}>
          {where}
          {state}
        </td>
      )}
      {cells.map((cell) => {
        const text = cell.text(offer, catalog, result, page);
        return (
          <td key={cell.id} role="cell" class={`num ${cell.tone?.(text) ?? ""}`} title={cell.exact?.(offer, result)}>
            {text}
          </td>
        );
      })}
    </tr>
  );

  function activate(): void {
    if (places === undefined) {
      void page.details.open(row.at);
    } else {
      page.moveTo(row.at);
      page.toggleGroup(identityAt(catalog, row.at).kind);
    }
  }
};
