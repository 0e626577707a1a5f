/** The page `#/start`: contracts are deployed and fuzzed, a chain is forked, and the chain is shared. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Problem } from "../viewer/components/states.tsx";
import { ChooseArtifacts } from "../viewer/node/drop-artifacts.tsx";
import { DeployBytecode, DeployContract } from "./deploy-forms.tsx";
import { ForkForm } from "./fork-form.tsx";
import { FuzzForm } from "./fuzz-form.tsx";
import { linked } from "./link.ts";
import { ShareForms } from "./share-forms.tsx";

/** Where a reader begins. Its forms stay as they are while the chain under them changes. */
export function StartPage(): JSX.Element {
  useEffect(() => {
    document.title = "Playground · Hindcast";
  }, []);
  return (
    <article>
      <header class="page-head">
        <h1>Playground</h1>
        <p>
          An Ethereum chain with ten funded accounts, which runs in this page. Nothing that you do here leaves it, and a
          reload begins anew. In the browser's console,{" "}
          <code>await hindcast.request({'{ method: "eth_blockNumber" }'})</code> asks the node.
        </p>
      </header>
      {linked.problem === undefined ? null : <Problem title="The link was not opened" error={linked.problem} />}
      <ChooseArtifacts address={undefined} />
      <div class="cards">
        <DeployContract />
        <DeployBytecode />
        <FuzzForm />
        <ForkForm />
        <ShareForms />
      </div>
    </article>
  );
}
