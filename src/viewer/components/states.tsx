/** Notices that are shown instead of data: errors, and that there is none. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { shown } from "../text/shown.ts";

/** Shows an error, with the node's message. */
export function Problem({ title, error }: { readonly title: string; readonly error: Error }): JSX.Element {
  return (
    <section class="problem" role="alert">
      <h2>{title}</h2>
      <p>{shown(error.message)}</p>
    </section>
  );
}

/** Shows an error instead of a whole page. */
export function PageProblem({ title, error }: { readonly title: string; readonly error: Error }): JSX.Element {
  useEffect(() => {
    document.title = `${title} · Hindcast`;
  }, [title]);
  return (
    <section class="problem" role="alert">
      <h1>{title}</h1>
      <p>{shown(error.message)}</p>
    </section>
  );
}

/** Says that there is no data, which is not an error. */
export function Empty({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <p class="empty">{children}</p>;
}
