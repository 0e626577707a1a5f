/** Something that may be larger than its place: it scrolls, by keys too. */
import type { ComponentChildren, JSX } from "preact";

interface ScrollProps {
  /** What it is, for people who do not see it. */
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Scroll({ label, class: name = "scroll", children }: ScrollProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section class={name} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
