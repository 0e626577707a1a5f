/** A chain of EDR, the engine of Hardhat 3, on Amsterdam: its accounts, signed transactions, and what it says of them. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { Signature, Transaction, Wallet } from "ethers";
import type { TransactionFields } from "../../../../src/chainspec/transaction/transaction-fields.ts";
import { encodeData, type Hex } from "../../../../src/primitives/bytes/hex.ts";
import { COINBASE, type TestAccount } from "../../../support/evm.ts";

const PLATFORM = { linux: `linux-${process.arch}-gnu`, darwin: `darwin-${process.arch}`, win32: "win32-x64-msvc" };
/** EDR with its native module, which npm does not install by itself everywhere. */
export const EDR_PACKAGES: readonly string[] = [
  "@nomicfoundation/edr@0.22.0",
  `@nomicfoundation/edr-${PLATFORM[process.platform as keyof typeof PLATFORM]}@0.22.0`,
];

/** Who signs all transactions. */
const WALLET = new Wallet(`0x${"45".repeat(32)}`);
export const SIGNER = new Uint8Array(Buffer.from(WALLET.address.slice(2), "hex"));
const NOBODYS_ROOT = new Uint8Array(32);
const GAS_LIMIT = 2n ** 62n;

/** The members of a JSON-RPC answer that are compared. */
export interface EdrReceipt {
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly blockNumber: Hex;
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[];
}

export interface EdrStep {
  readonly pc: number;
  readonly op: string;
  readonly gas: number;
  readonly depth: number;
  readonly stack: readonly Hex[];
  readonly error?: string;
}

export type EdrBlock = Readonly<
  Record<
    "number" | "timestamp" | "mixHash" | "baseFeePerGas" | "gasLimit" | "slotNumber" | "parentHash" | "gasUsed",
    Hex
  >
>;

/** What EDR made of a transaction. */
export interface EdrRun {
  readonly receipt: EdrReceipt;
  readonly block: EdrBlock;
  readonly steps: readonly EdrStep[];
}

interface Provider {
  handleRequest(request: string): Promise<{ readonly data: unknown }>;
}

/** What is used of the module, which is not a dependency. */
interface Edr {
  readonly L1_CHAIN_TYPE: string;
  readonly EdrContext: new () => {
    registerProviderFactory(type: string, factory: unknown): Promise<void>;
    createProvider(type: string, ...options: readonly unknown[]): Promise<Provider>;
  };
  readonly ContractDecoder: new () => unknown;
  l1ProviderFactory(): unknown;
}

/** Makes chains of EDR; a process may have one. */
export class EdrChains {
  readonly #edr: Edr;
  readonly #context: InstanceType<Edr["EdrContext"]>;

  /** @param folder - has EDR under its node_modules */
  static async open(folder: string): Promise<EdrChains> {
    const edr: Edr = createRequire(join(folder, "package.json"))("@nomicfoundation/edr");
    const context = new edr.EdrContext();
    await context.registerProviderFactory(edr.L1_CHAIN_TYPE, edr.l1ProviderFactory());
    return new EdrChains(edr, context);
  }

  private constructor(edr: Edr, context: InstanceType<Edr["EdrContext"]>) {
    this.#edr = edr;
    this.#context = context;
  }

  /** A chain that has these accounts. It mines each transaction at once. */
  async create(accounts: readonly TestAccount[]): Promise<EdrChain> {
    const config = {
      ...{ hardfork: "amsterdam", chainId: 1n, networkId: 1n, coinbase: COINBASE, minGasPrice: 0n },
      ...{ initialBaseFeePerGas: 1n, initialParentBeaconBlockRoot: NOBODYS_ROOT, transactionGasCap: false },
      ...{ allowBlocksWithSameTimestamp: true, allowUnlimitedContractSize: false, bailOnCallFailure: false },
      ...{ bailOnTransactionFailure: false, defaultTransactionGasLimit: 1_000_000n },
      genesisState: accounts.map(({ address, balance = 0n, nonce = 0n, code }) => ({
        ...{ address, balance, nonce, storage: [] },
        ...(code === undefined ? {} : { code }),
      })),
      mining: { autoMine: true, memPool: { order: "Fifo" }, blockGasLimit: GAS_LIMIT },
      network: { genesisBlockGasLimit: GAS_LIMIT, genesisBlockTime: 1_700_000_000n },
      ...{ observability: {}, ownedAccounts: [WALLET.privateKey], precompileOverrides: [] },
    };
    const logger = { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => undefined };
    const subscriptions = { subscriptionCallback: () => undefined };
    const decoder = new this.#edr.ContractDecoder();
    const type = this.#edr.L1_CHAIN_TYPE;
    const chain = new EdrChain(await this.#context.createProvider(type, config, logger, subscriptions, decoder));
    for (const { address, storage = [] } of accounts) {
      for (const [slot, value] of storage) {
        const word = `0x${value.toString(16).padStart(64, "0")}`;
        await chain.ask("hardhat_setStorageAt", encodeData(address), `0x${slot.toString(16)}`, word);
      }
    }
    return chain;
  }
}

export class EdrChain {
  readonly #provider: Provider;

  constructor(provider: Provider) {
    this.#provider = provider;
  }

  /** @throws {Error} with EDR's message */
  async ask<T>(method: string, ...params: readonly unknown[]): Promise<T> {
    const { data } = await this.#provider.handleRequest(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    const answer = typeof data === "string" ? JSON.parse(data) : data;
    if (answer.error !== undefined) throw new Error(answer.error.message);
    return answer.result as T;
  }

  /** Mines a transaction of {@link SIGNER}; undefined if it is refused. */
  async run(tx: TransactionFields): Promise<EdrRun | undefined> {
    const serialized = sign(tx);
    const hash = await this.ask<Hex>("eth_sendRawTransaction", serialized).catch(() => undefined);
    if (hash === undefined) return undefined;
    const receipt = await this.ask<EdrReceipt>("eth_getTransactionReceipt", hash);
    const block = await this.ask<EdrBlock>("eth_getBlockByNumber", receipt.blockNumber, false);
    const trace = await this.ask<{ structLogs: EdrStep[] }>("debug_traceTransaction", hash, { disableStorage: true });
    return { receipt, block, steps: trace.structLogs };
  }
}

function sign(tx: TransactionFields): string {
  const fees =
    tx.type >= 2
      ? { maxFeePerGas: tx.maxFeePerGas, maxPriorityFeePerGas: tx.maxPriorityFeePerGas }
      : { gasPrice: tx.maxFeePerGas };
  const accessList = tx.accessList.map(({ address, storageKeys }) => ({
    address: encodeData(address),
    storageKeys: storageKeys.map(encodeData),
  }));
  const authorizationList = tx.authorizations.map(({ chainId, address, nonce, yParity, r, s }) => ({
    ...{ chainId, nonce, address: encodeData(address) },
    signature: Signature.from({ yParity: Number(yParity) as 0 | 1, r: wordOf(r), s: wordOf(s) }),
  }));
  const signed = Transaction.from({
    ...{ type: tx.type, chainId: 1n, nonce: Number(tx.nonce), gasLimit: tx.gasLimit, value: tx.value, ...fees },
    ...{ to: tx.to === undefined ? null : encodeData(tx.to), data: encodeData(tx.data) },
    ...(tx.type >= 1 ? { accessList } : {}),
    ...(tx.type === 4 ? { authorizationList } : {}),
  });
  signed.signature = WALLET.signingKey.sign(signed.unsignedHash);
  return signed.serialized;
}

function wordOf(value: bigint): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}
