/** The address of the current page. It is in the URL's fragment, so that it can be shared and reloaded. */
import { useEffect, useState } from "preact/hooks";

/** For `#/tx/0x12?tab=gas`: the path `tx`, `0x12`, and the query `tab`. */
export interface Route {
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

/** Parses a fragment. */
export function routeOf(fragment: string): Route {
  const [path = "", query = ""] = fragment.replace(/^#\/?/, "").split("?", 2);
  return { path: path.split("/").filter((part) => part !== ""), query: new URLSearchParams(query) };
}

/** The current route. Renders the component again when it changes. */
export function useRoute(): Route {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const onChange = (): void => setFragment(location.hash);
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return routeOf(fragment);
}

/** Changes members of the query without adding an entry to the browser's history. */
export function setQuery(members: Readonly<Record<string, string | undefined>>): void {
  const { path, query } = routeOf(location.hash);
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  history.replaceState(history.state, "", `#/${path.join("/")}${text === "" ? "" : `?${text}`}`);
  dispatchEvent(new HashChangeEvent("hashchange"));
}
