/** Forms that give the chain away as a link or a file, and that open one. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionForm } from "../viewer/components/action-form.tsx";
import { Copy } from "../viewer/components/hashes.tsx";
import { grouped } from "../viewer/text/format.ts";
import { save } from "../viewer/text/save.ts";
import { chainBytes, openChain, requireOwnChain } from "./chain-file.ts";
import { linkToChain, MOST_LINK_CHARACTERS } from "./link.ts";

/** A fork is neither shared nor saved. */
export function ShareForms(): JSX.Element {
  const [link, setLink] = useState("");
  return (
    <>
      <ActionForm
        title="Share as a link"
        label="Make a link"
        run={async () => {
          setLink("");
          await requireOwnChain();
          const made = await linkToChain();
          setLink(made);
          return `${grouped(made.length)} characters.`;
        }}
      >
        <p class="quiet">
          It holds the whole chain, up to {grouped(MOST_LINK_CHARACTERS)} characters, and no server ever sees it.
          Artifacts are not in it.
        </p>
        {link === "" ? null : (
          <label>
            <span>
              Link <Copy text={link} what="the link" />
            </span>
            <input class="mono wide" readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
          </label>
        )}
      </ActionForm>
      <ActionForm
        title="Save as a file"
        label="Save"
        run={async () => {
          await requireOwnChain();
          save("chain.json.gz", "application/gzip", await chainBytes());
          return undefined;
        }}
      >
        <p class="quiet">
          For this page, or for a node: <code>npx hindcast --load-state chain.json.gz</code>
        </p>
      </ActionForm>
      <ActionForm
        title="Open a file"
        label="Open"
        run={async (fields) => {
          await openChain(new Uint8Array(await (fields.get("file") as File).arrayBuffer()));
          return "The chain was opened.";
        }}
      >
        <label>
          <span>
            A chain that was saved here, by a node's <code>--dump-state</code>, or by Anvil
          </span>
          <input type="file" name="file" required />
        </label>
      </ActionForm>
    </>
  );
}
