/** What stands in the place of something that is not there. */
import type { ComponentChildren, JSX } from "preact";
import { shown } from "../text/shown.ts";

/** Something went wrong: what, and in whose words. */
export function Problem({ title, error }: { readonly title: string; readonly error: Error }): JSX.Element {
  return (
    <section class="problem" role="alert">
      <h2>{title}</h2>
      <p>{shown(error.message)}</p>
    </section>
  );
}

/** Nothing is there, and that is in order. */
export function Empty({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <p class="empty">{children}</p>;
}
