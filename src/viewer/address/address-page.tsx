/** The page of an account: its balance, code, storage and history. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Facts, Pill } from "../components/data.tsx";
import { Address, Copy } from "../components/hashes.tsx";
import { labels } from "../components/labels.ts";
import { Empty, PageProblem } from "../components/states.tsx";
import { type Tab, Tabs } from "../components/tabs.tsx";
import { ChooseArtifacts } from "../node/drop-artifacts.tsx";
import type { Route } from "../route.ts";
import { useHeadChanges } from "../rpc/live.ts";
import { useLoaded } from "../rpc/use-loaded.ts";
import { byteLength, ether, grouped, short } from "../text/format.ts";
import { shown } from "../text/shown.ts";
import { TokensTab } from "../tokens/tokens-tab.tsx";
import { ActivityTab } from "./activity-tab.tsx";
import { CallsTab } from "./calls-tab.tsx";
import { CodeTab } from "./code-tab.tsx";
import { EventsTab } from "./events-tab.tsx";
import { FunctionsTab } from "./functions-tab.tsx";
import { type Account, loadAccount } from "./load.ts";
import { SourceTab } from "./source-tab.tsx";
import { StorageTab } from "./storage-tab.tsx";

/** The page `#/address/<address>`. */
export function AddressPage({ route }: { readonly route: Route }): JSX.Element {
  const address = route.path[1] ?? "";
  const changes = useHeadChanges();
  const { value, error } = useLoaded(() => loadAccount(address), address, changes);
  useEffect(() => {
    document.title = `${labels.of(address) ?? short(address)} · Hindcast`;
  }, [address]);
  if (error !== undefined) return <PageProblem title="This account cannot be shown" error={error} />;
  if (value === undefined) return <Empty>Loading…</Empty>;
  const { code, contract, sources } = value;
  const tabs: Tab[] = [
    { id: "activity", label: "Activity", content: () => <ActivityTab address={address} /> },
    { id: "calls", label: "Calls", content: () => <CallsTab address={address} /> },
    { id: "tokens", label: "Tokens", content: () => <TokensTab address={address} /> },
  ];
  if (code !== "0x") {
    tabs.push({ id: "events", label: "Events", content: () => <EventsTab address={address} /> });
    if (sources !== null) tabs.push({ id: "source", label: "Source", content: () => <SourceTab sources={sources} /> });
    tabs.push({ id: "code", label: "Code", content: () => <CodeTab code={code} /> });
    tabs.push({ id: "storage", label: "Storage", content: () => <StorageTab address={address} /> });
  }
  if (contract !== null)
    tabs.push({
      id: "functions",
      label: `Functions ${contract.functions.length}`,
      content: () => <FunctionsTab account={value} />,
    });
  return (
    <article>
      <AccountHead account={value} />
      {code !== "0x" && (contract === null || contract.name === null) ? <ChooseArtifacts address={address} /> : null}
      <Tabs label="Parts of the account" chosen={route.query.get("tab")} tabs={tabs} />
    </article>
  );
}

function AccountHead({ account }: { readonly account: Account }): JSX.Element {
  const { address, balance, nonce, code, delegate, contract, token, supply, creator } = account;
  const isContract = code !== "0x";
  return (
    <header class="page-head">
      <h1>
        {delegate === undefined ? shown(contract?.name ?? (isContract ? "Contract" : "Account"), 60) : "Account"}{" "}
        <Pill tone={isContract ? "ok" : "wait"}>
          {delegate === undefined ? (isContract ? "contract" : "no code") : "delegated"}
        </Pill>
      </h1>
      <p class="whole-hash">
        <code>{address}</code> <Copy text={address} what="the address" /> <LabelField address={address} />
      </p>
      <Facts
        of={{
          "Delegates to": delegate === undefined ? undefined : <Address of={delegate} name={contract?.name} />,
          Balance: ether(balance),
          Nonce: grouped(BigInt(nonce)),
          Code: isContract && delegate === undefined ? `${grouped(byteLength(code))} bytes` : undefined,
          Token: token === undefined ? undefined : `${shown(token.name, 60)} (${shown(token.symbol, 20)})`,
          Decimals: token?.decimals,
          Supply: supply,
          "Made in": creator === undefined ? undefined : <a href={`#/tx/${creator}`}>{short(creator)}</a>,
        }}
      />
    </header>
  );
}

/** A form for the user's own name of an address. */
function LabelField({ address }: { readonly address: string }): JSX.Element {
  const [label, setLabel] = useState(labels.own(address) ?? "");
  const save = (text: string): void => {
    setLabel(text);
    labels.set(address, text.trim());
  };
  return (
    <input
      class="label"
      aria-label="Your label for this address"
      placeholder="your label"
      maxLength={40}
      value={label}
      onInput={(event) => save(event.currentTarget.value)}
    />
  );
}
