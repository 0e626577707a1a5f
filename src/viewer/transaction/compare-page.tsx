/** Shows two transactions side by side. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { SecondSide } from "../components/side.ts";
import type { Route } from "../route.ts";
import { short } from "../text/format.ts";
import { TransactionView } from "./transaction-page.tsx";

/** The page `#/compare/<hash>/<hash>`. */
export function ComparePage({ route }: { readonly route: Route }): JSX.Element {
  const [, first = "", second] = route.path;
  useEffect(() => {
    const title = second === undefined ? `Compare ${short(first)}` : `${short(first)} and ${short(second)}`;
    document.title = `${title} · Hindcast`;
  }, [first, second]);
  if (second === undefined) return <Chooser first={first} />;
  return (
    <div class="compare">
      <TransactionView hash={first} route={route} />
      <SecondSide.Provider value={true}>
        <TransactionView hash={second} route={route} />
      </SecondSide.Provider>
    </div>
  );
}

function Chooser({ first }: { readonly first: string }): JSX.Element {
  const choose = (event: SubmitEvent): void => {
    event.preventDefault();
    const hash = new FormData(event.currentTarget as HTMLFormElement).get("hash");
    if (typeof hash === "string" && /^0x[0-9a-f]{64}$/i.test(hash.trim()))
      location.hash = `#/compare/${first}/${hash.trim().toLowerCase()}`;
  };
  return (
    <form class="panel form" onSubmit={choose}>
      <h1>Compare with another transaction</h1>
      <label>
        Hash of the other transaction
        <input name="hash" class="wide" autocomplete="off" spellcheck={false} pattern="0x[0-9a-fA-F]{64}" required />
      </label>
      <button type="submit" class="button">
        Show both
      </button>
    </form>
  );
}
