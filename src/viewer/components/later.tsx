/** A part of a page whose code is loaded when it is first shown. */
import type { ComponentType, JSX } from "preact";
import { useLoaded } from "../rpc/use-loaded.ts";
import { Problem } from "./states.tsx";

/** The component that `load` gives. Nothing is shown until its code is there. */
export function later<Props extends object>(
  name: string,
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => JSX.Element | null {
  return function Later(props: Props): JSX.Element | null {
    const { value: Part, error } = useLoaded(load, name);
    if (error !== undefined) return <Problem title="This part of the page cannot be shown" error={error} />;
    return Part === undefined ? null : <Part {...props} />;
  };
}
