/** Lists the contracts of one name. If there is only one, its page is opened. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Panel } from "../components/data.tsx";
import { Address } from "../components/hashes.tsx";
import { Progress } from "../components/progress.tsx";
import { Empty, PageProblem } from "../components/states.tsx";
import type { Route } from "../route.ts";
import { useHeadChanges } from "../rpc/live.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { grouped } from "../text/format.ts";
import { shown } from "../text/shown.ts";
import { findContracts, type NamedContracts } from "./find-contracts.ts";

/** The page `#/named/<name>`. */
export function NamedPage({ route }: { readonly route: Route }): JSX.Element {
  const name = route.path[1] ?? "";
  const changes = useHeadChanges();
  const [count, setCount] = useState(0);
  const search = useRef<AbortController | undefined>(undefined);
  const load = (): Promise<NamedContracts> => {
    search.current?.abort();
    search.current = new AbortController();
    return findContracts(name, { signal: search.current.signal, onProgress: setCount });
  };
  const { value, error } = useLoaded(load, name, changes);
  useEffect(() => () => search.current?.abort(), []);
  const only = value?.addresses.length === 1 && value.isComplete ? value.addresses[0] : undefined;
  useEffect(() => {
    document.title = `${shown(name, 40)} · Hindcast`;
    // Replaces this entry of the history, so that "back" leads to where the search began.
    if (only !== undefined) location.replace(`#/address/${only}`);
  }, [name, only]);
  if (error !== undefined) return <PageProblem title="Contracts cannot be listed" error={error} />;
  if (value === undefined)
    return <Progress what={`${grouped(count)} accounts searched`} onStop={() => search.current?.abort()} />;
  return (
    <article>
      <h1>Contracts named {shown(name, 80)}</h1>
      <Panel title="Addresses">
        {value.addresses.length === 0 ? (
          <Empty>
            None. The node knows the names of contracts whose builds or ABIs it was given, with --artifacts or in the
            program.
          </Empty>
        ) : (
          <ul class="plain">
            {value.addresses.map((address) => (
              <li key={address}>
                <Address of={address} isWhole />
              </li>
            ))}
          </ul>
        )}
        {value.isComplete ? null : <p class="quiet">The node has more accounts than were searched.</p>}
      </Panel>
    </article>
  );
}
