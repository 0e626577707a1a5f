/** Finds a block, a transaction, an address, an address by its label, or contracts by their name. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { labels } from "./components/labels.ts";
import { isTyping } from "./keys/typing.ts";
import { ask } from "./rpc/client.ts";

/** `/` moves the focus to it from anywhere. */
export function SearchBox(): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const search = async (event: Event): Promise<void> => {
    event.preventDefault();
    const address = await addressOf(input.current?.value.trim() ?? "").catch((error: Error) => error);
    if (address instanceof Error) return setProblem(address.message);
    setProblem("");
    location.hash = address;
    input.current?.blur();
  };
  return (
    <search class="search">
      <form onSubmit={search}>
        <input
          ref={input}
          type="search"
          aria-label="Search by block, transaction, address, label or contract"
          placeholder="Block, transaction, address, label, contract"
          autocomplete="off"
          spellcheck={false}
          onInput={() => setProblem("")}
        />
        <kbd>/</kbd>
      </form>
      <p class="search-problem" role="status">
        {problem}
      </p>
    </search>
  );
}

/** The fragment of the page that the text names. */
async function addressOf(text: string): Promise<string> {
  if (/^0x[0-9a-f]{40}$/i.test(text)) return `#/address/${text.toLowerCase()}`;
  if (/^\d{1,18}$/.test(text) || /^0x[0-9a-f]{1,16}$/i.test(text)) return `#/block/${BigInt(text)}`;
  if (/^(latest|earliest|pending|safe|finalized)$/.test(text)) return `#/block/${text}`;
  if (/^0x[0-9a-f]{64}$/i.test(text)) {
    const tx = await ask<unknown>("eth_getTransactionByHash", text);
    if (tx !== null) return `#/tx/${text.toLowerCase()}`;
    if ((await ask<unknown>("eth_getHeaderByHash", text)) !== null) return `#/block/${text.toLowerCase()}`;
    throw new Error("The node knows neither a transaction nor a block with this hash.");
  }
  const labelled = labels.find(text);
  if (labelled !== undefined) return `#/address/${labelled}`;
  if (/^[A-Za-z_$][\w$]{0,199}$/.test(text)) return `#/named/${text}`;
  throw new Error(
    "Nothing matches: expected a number, a hash, an address, one of your labels, or the name of a contract.",
  );
}
