/** The layout of the explorer: navigation, search, the state of the chain, and the page that the fragment names. */
import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ChainPage } from "./chain/chain-page.tsx";
import { labels } from "./components/labels.ts";
import { entries } from "./components/remembered.ts";
import { PageProblem } from "./components/states.tsx";
import { KeysHelp } from "./keys/keys-help.tsx";
import { DropArtifacts } from "./node/drop-artifacts.tsx";
import { type Route, useRoute } from "./route.ts";
import { ask, NoAnswerError } from "./rpc/client.ts";
import { useHead, useReturns } from "./rpc/live.ts";
import type { Hex } from "./rpc/types.ts";
import { useLoaded } from "./rpc/use-loaded.ts";
import { SearchBox } from "./search-box.tsx";
import { grouped } from "./text/format.ts";
import { TransactionPage } from "./transaction/transaction-page.tsx";

/** Loads the code of a page when the page is first opened. */
type PageModule = () => Promise<ComponentType<{ readonly route: Route }>>;

/** A page that the explorer itself does not have. */
export interface MorePage {
  /** Its name in the address, and in the navigation. */
  readonly name: string;
  readonly label: string;
  readonly load: PageModule;
}

const PAGES: Readonly<Record<string, PageModule>> = {
  block: async () => (await import("./block/block-page.tsx")).BlockPage,
  compare: async () => (await import("./transaction/compare-page.tsx")).ComparePage,
  address: async () => (await import("./address/address-page.tsx")).AddressPage,
  named: async () => (await import("./lists/named-page.tsx")).NamedPage,
  simulate: async () => (await import("./simulate/simulate-page.tsx")).SimulatePage,
  "what-if": async () => (await import("./simulate/what-if-page.tsx")).WhatIfPage,
  transactions: async () => (await import("./lists/transactions-page.tsx")).TransactionsPage,
  accounts: async () => (await import("./lists/accounts-page.tsx")).AccountsPage,
  node: async () => (await import("./node/node-page.tsx")).NodePage,
  pool: async () => (await import("./pool/pool-page.tsx")).PoolPage,
};

const LINKS = [
  ["", "Chain"],
  ["transactions", "Transactions"],
  ["accounts", "Accounts"],
  ["simulate", "Simulate"],
  ["pool", "Pool & time"],
  ["node", "Node"],
] as const;

/**
 * Stays while pages change. The chain's page and a transaction's are part of the first files, since their links are the
 * ones that are shared; others are loaded when they are opened.
 */
export function App({ more }: { readonly more: readonly MorePage[] }): JSX.Element {
  const route = useRoute();
  const [name = ""] = route.path;
  useEffect(() => entries.restore(), [route.path.join("/")]);
  // Draws everything again: addresses that are shown may be the node's accounts.
  const [, setNamed] = useState(0);
  const returns = useReturns();
  useEffect(() => void labels.loadAccounts().then(() => setNamed((last) => last + 1)), [returns]);
  return (
    <>
      <header class="top">
        <a class="skip" href={location.hash || "#/"} onClick={skipToContent}>
          Skip to content
        </a>
        <a class="brand" href="#/">
          <Mark /> Hindcast
        </a>
        <nav aria-label="Pages">
          {[...more.map((page) => [page.name, page.label] as const), ...LINKS].map(([path, label]) => (
            <a key={path} href={`#/${path}`} aria-current={name === path ? "page" : undefined}>
              {label}
            </a>
          ))}
        </nav>
        <SearchBox />
        <HeadState />
      </header>
      <main id="content" tabIndex={-1}>
        <Page name={name} route={route} more={more} />
      </main>
      <KeysHelp />
      <DropArtifacts address={name === "address" ? route.path[1] : undefined} />
    </>
  );
}

function skipToContent(event: Event): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

interface PageProps {
  readonly name: string;
  readonly route: Route;
  readonly more: readonly MorePage[];
}

function Page({ name, route, more }: PageProps): JSX.Element {
  if (name === "") return <ChainPage />;
  return name === "tx" ? (
    <TransactionPage route={route} key={route.path[1]} />
  ) : (
    <LaterPage name={name} route={route} more={more} />
  );
}

function LaterPage({ name, route, more }: PageProps): JSX.Element {
  const load = more.find((page) => page.name === name)?.load ?? PAGES[name];
  const { value: Page, error } = useLoaded(() => loadPage(load), name);
  if (error !== undefined) return <PageProblem title="This page cannot be shown" error={error} />;
  return Page === undefined ? <p class="quiet">Loading…</p> : <Page route={route} key={route.path.join("/")} />;
}

function loadPage(load: PageModule | undefined): ReturnType<PageModule> {
  if (load === undefined) return Promise.reject(new Error("There is no page at this address."));
  return load().catch((error: Error) => {
    throw error instanceof TypeError ? new NoAnswerError(error) : error;
  });
}

/** Shows the chain and its head, or that the node does not answer. */
function HeadState(): JSX.Element {
  const head = useHead();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 1_500);
    return () => clearTimeout(timer);
  }, []);
  if (head === undefined) return <p class="head-state is-off">{isLate ? "Not connected" : "Connecting"}</p>;
  return (
    <p class="head-state" aria-live="off">
      <span class="pulse" key={head.hash} />
      <a href={`#/block/${head.hash}`}>{grouped(BigInt(head.number))}</a>
      <ChainId />
    </p>
  );
}

function ChainId(): JSX.Element {
  const { value } = useLoaded(() => ask<Hex>("eth_chainId"), "chain");
  return <span class="quiet"> chain {value === undefined ? "…" : String(BigInt(value))}</span>;
}

function Mark(): JSX.Element {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <path d="M8 22V10m0 6h9a5 5 0 0 1 5 5v1" fill="none" stroke="currentColor" stroke-width="2.6" />
      <circle cx="8" cy="8" r="4" fill="currentColor" />
      <circle cx="8" cy="24" r="4" fill="currentColor" />
      <circle cx="22" cy="24" r="4" class="mark-end" />
    </svg>
  );
}
