import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { focusRow } from "./focus.js";

/** A pane that takes the focus when it opens, and shows a heading and a button that closes it. */
export const Pane: FunctionComponent<{ title: string; onClose: () => void; children: ComponentChildren }> = ({
  title,
  onClose,
  children,
}) => {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []);
  return (
    <section class="pane" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <button
          ref={close}
          class="close"
          aria-label="Close"
          onClick={() => {
            onClose();
            focusRow();
          }}
        >
          ×
        </button>
      </header>
      {children}
    </section>
  );
};
