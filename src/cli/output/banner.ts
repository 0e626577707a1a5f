/** The banner of a started node, in the order of Anvil's. Pure: converts values to text. */
import { findHardfork, isExperimental } from "../../chainspec/hardforks/hardforks.ts";
import type { EngineName } from "../../evm/engine.ts";
import { checksumAddress } from "../../primitives/address.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";
import { encodeData } from "../../primitives/bytes/hex.ts";
import type { ForkDescription } from "../../services/control/fork.ts";

/** A funded account, which the banner shows with its key. */
export interface BannerAccount {
  /** 20 bytes */
  readonly address: Bytes;
  /** 32 bytes */
  readonly privateKey: Bytes;
  /** wei */
  readonly balance: bigint;
}

/** Facts about a node that was started. */
export interface BannerFacts {
  readonly version: string;
  /** In derivation order. */
  readonly accounts: readonly BannerAccount[];
  /** Undefined where the keys were given themselves, as is the path. */
  readonly mnemonic?: string;
  /** Path of account i, without the i at its end. */
  readonly derivationPath?: string;
  readonly chainId: bigint;
  readonly engine: EngineName;
  /** Development node whose habits are followed; undefined for none. */
  readonly dialect: string | undefined;
  /** For a development chain; undefined for a genesis, which may schedule several. */
  readonly hardfork: string | undefined;
  /** wei per gas, of the head block; undefined before London. */
  readonly baseFeePerGas: bigint | undefined;
  readonly gasLimit: bigint;
  /** seconds */
  readonly genesisTimestamp: bigint;
  readonly genesisNumber: bigint;
  readonly headNumber: bigint;
  readonly fork: ForkDescription | undefined;
  /** The address of the node that is followed, or of PostgreSQL, without credentials; true for a node that shares its chain. */
  readonly shared: string | boolean;
  readonly dataDir: string | undefined;
}

const WEI_DECIMALS = 18;

/** The banner without its last line, which {@link listeningLine} gives after the server has started. */
export function buildBanner(facts: BannerFacts): string {
  const sections = [`hindcast ${facts.version}`, ...accountSections(facts), ...chainSections(facts)];
  if (facts.shared !== false) sections.push(section("Shared Chain", [sharedText(facts.shared)]));
  if (facts.dataDir !== undefined) {
    sections.push(
      section("Data folder", [
        facts.dataDir,
        "Not stored there: pending transactions, snapshots, filters, impersonation.",
      ]),
    );
  }
  return `${sections.join("\n\n")}\n`;
}

/** The line by which tools recognize a started node. */
export function listeningLine(host: string, port: number): string {
  return `Listening on ${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function accountSections({ accounts, mnemonic, derivationPath }: BannerFacts): string[] {
  if (accounts.length === 0) return [];
  return [
    section(
      "Available Accounts",
      accounts.map(
        ({ address, balance }, index) => `(${index}) ${checksumAddress(address)} (${formatEther(balance)} ETH)`,
      ),
    ),
    section(
      "Private Keys",
      accounts.map(({ privateKey }, index) => `(${index}) ${encodeData(privateKey)}`),
    ),
    ...(mnemonic === undefined
      ? []
      : [
          section("Wallet", [`Mnemonic:          ${mnemonic}`, `Derivation path:   ${derivationPath}`]),
          "Everybody knows these keys: whatever is sent to them on a public chain is lost.",
        ]),
  ];
}

function sharedText(shared: string | true): string {
  if (shared === true) return "Other nodes may follow: hindcast --follow URL.";
  if (!shared.startsWith("postgres")) return `Follows ${shared}.`;
  return `In PostgreSQL at ${shared}. Which node writes: hindcast_status.`;
}

function hardforkText(name: string): string {
  const hardfork = findHardfork(name);
  return hardfork !== undefined && isExperimental(hardfork) ? `${name} (experimental)` : name;
}

function chainSections(facts: BannerFacts): string[] {
  const sections = facts.fork === undefined ? [] : [forkSection(facts.fork)];
  sections.push(section("Chain ID", [String(facts.chainId)]));
  if (facts.hardfork !== undefined) sections.push(section("Hardfork", [hardforkText(facts.hardfork)]));
  sections.push(section("Engine", [facts.engine]));
  if (facts.dialect !== undefined) sections.push(section("Dialect", [facts.dialect]));
  if (facts.baseFeePerGas !== undefined) sections.push(section("Base Fee", [String(facts.baseFeePerGas)]));
  sections.push(
    section("Gas Limit", [String(facts.gasLimit)]),
    section("Genesis Timestamp", [String(facts.genesisTimestamp)]),
    section("Genesis Number", [String(facts.genesisNumber)]),
  );
  if (facts.headNumber > facts.genesisNumber) sections.push(section("Head Number", [String(facts.headNumber)]));
  return sections;
}

function forkSection({ label, chainId, blockNumber, blockHash, scheduleSource }: ForkDescription): string {
  return section("Fork", [
    `Of:                ${label}`,
    `Chain ID:          ${chainId}`,
    `Block number:      ${blockNumber}`,
    `Block hash:        ${encodeData(blockHash)}`,
    `Hardforks by:      ${scheduleSource}`,
  ]);
}

function section(title: string, lines: readonly string[]): string {
  return [title, "=".repeat(title.length), ...lines].join("\n");
}

/** ETH with all 18 decimals. */
function formatEther(wei: bigint): string {
  const digits = wei.toString().padStart(WEI_DECIMALS + 1, "0");
  return `${digits.slice(0, -WEI_DECIMALS)}.${digits.slice(-WEI_DECIMALS)}`;
}
