/** A section with scroll bars, which can also be scrolled with the keyboard. */
import type { ComponentChildren, JSX } from "preact";
import { useSide } from "./side.ts";

interface ScrollProps {
  /** Description for screen readers. */
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** `label` is read out by screen readers. */
export function Scroll({ label, class: name = "scroll", children }: ScrollProps): JSX.Element {
  const side = useSide();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls only an element that has the focus
    <section class={name} aria-label={side.label(label)} tabIndex={0}>
      {children}
    </section>
  );
}
