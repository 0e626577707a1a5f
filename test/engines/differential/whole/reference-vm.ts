/** Runs the transactions of a scenario in EthereumJS' VM, which shares no code with this project's executor. */
import { createBlock } from "@ethereumjs/block";
import { Common, Mainnet } from "@ethereumjs/common";
import { createEVM } from "@ethereumjs/evm";
import { MerkleStateManager } from "@ethereumjs/statemanager";
import { createTx, type TypedTxData } from "@ethereumjs/tx";
import {
  Account,
  Address,
  type BlockLevelAccessList,
  bytesToHex,
  createBlockLevelAccessList,
  setLengthLeft,
} from "@ethereumjs/util";
import { createVM, type RunTxResult, runTx, type VM } from "@ethereumjs/vm";
import type { TransactionFields } from "../../../../src/chainspec/transaction/transaction-fields.ts";
import { LazyKzg } from "../../../../src/engines/ethereumjs/kzg.ts";
import { encodeData } from "../../../../src/primitives/bytes/hex.ts";
import { keccak256 } from "../../../../src/primitives/hash/hash.ts";
import { COINBASE, SENDER, word } from "../../../support/evm.ts";
import "../../../support/remembered-curves.ts";
import type { Scenario } from "../random/scenario.ts";

/** A transaction as a receipt and a block's header show it. */
export interface WholeTransaction {
  readonly succeeded: boolean;
  readonly gasUsed: bigint;
  /** Gas that counts towards the block's limit, in either dimension (EIP-8037). */
  readonly blockGas: bigint;
  readonly stateGas: bigint;
  /** Each as address, topics and data. */
  readonly logs: readonly string[];
}

/** `undefined` for a transaction that cannot be in a block. */
export interface WholeRun {
  readonly transactions: readonly (WholeTransaction | undefined)[];
  readonly stateRoot: string;
  /** RLP of the access list of all transactions (EIP-7928). */
  readonly accessList: string;
}

/** An empty list: before Amsterdam there is none. */
export const NO_ACCESS_LIST = "0xc0";

/** Hardforks that EthereumJS does not have on its mainnet. They change blob limits only (EIP-7892). */
const REFERENCE_NAMES: Readonly<Record<string, string>> = {
  bpo3: "bpo2",
  bpo4: "bpo2",
  bpo5: "bpo2",
};

const kzg = new LazyKzg();
const TIMESTAMP = 1_700_000_000n;
const NUMBER = 100n;
/** The largest that fits 63 bits, so that no transaction finds the block full. */
const GAS_LIMIT = 2n ** 62n;

/** Runs a scenario's transactions in sequence. */
export async function runInReferenceVm({ hardfork, accounts, transactions }: Scenario): Promise<WholeRun> {
  // Its tries hash whatever they write, and its own hash is JavaScript. Hashes have tests of their own.
  const customCrypto = { kzg, keccak256 };
  const common = new Common({ chain: Mainnet, hardfork: REFERENCE_NAMES[hardfork] ?? hardfork, customCrypto });
  const stateManager = new MerkleStateManager({ common });
  await stateManager.checkpoint();
  for (const account of [{ address: SENDER, balance: 10n ** 20n, nonce: 1n }, ...accounts]) {
    const { address, balance = 0n, nonce = 0n } = account;
    const place = new Address(address);
    await stateManager.putAccount(place, new Account(nonce, balance));
    if ("code" in account && account.code !== undefined) await stateManager.putCode(place, account.code);
    for (const [slot, value] of ("storage" in account ? account.storage : undefined) ?? []) {
      await stateManager.putStorage(place, word(slot), setLengthLeft(word(value), 32));
    }
  }
  await stateManager.commit();
  const blockchain = { getBlock: async (number: number) => ({ hash: () => word(BigInt(number) + 1n) }) };
  const evm = await createEVM({ common, stateManager, blockchain: blockchain as never });
  const vm = await createVM({ common, stateManager, evm });
  const list = createBlockLevelAccessList();
  if (common.isActivatedEIP(7928)) vm.evm.blockLevelAccessList = list;
  const ran: (WholeTransaction | undefined)[] = [];
  for (const tx of transactions) {
    list.blockAccessIndex = ran.length + 1;
    list.checkpoint();
    const result = await runOne(vm, tx);
    // What a rejected transaction looked at is not in a block.
    if (result === undefined) list.revert();
    else list.commit();
    ran.push(result);
  }
  dropWrittenReads(list);
  const stateRoot = bytesToHex(await stateManager.getStateRoot());
  return { transactions: ran, stateRoot, accessList: bytesToHex(list.serialize()) };
}

/** EthereumJS may have a slot that was written among those that were read too, which EIP-7928 forbids. */
function dropWrittenReads({ accesses }: BlockLevelAccessList): void {
  const numberOf = (slot: string): bigint => BigInt(slot === "0x" ? 0 : slot);
  for (const { storageReads, storageChanges } of Object.values(accesses)) {
    const written = new Set(Object.keys(storageChanges).map(numberOf));
    for (const slot of [...storageReads]) if (written.has(numberOf(slot))) storageReads.delete(slot);
  }
}

async function runOne(vm: VM, tx: TransactionFields): Promise<WholeTransaction | undefined> {
  const { common } = vm;
  const block = createBlock(
    {
      header: {
        number: NUMBER,
        timestamp: TIMESTAMP,
        coinbase: new Address(COINBASE),
        gasLimit: GAS_LIMIT,
        difficulty: common.isActivatedEIP(3675) ? 0n : 131_072n,
        mixHash: new Uint8Array(32).fill(7),
        ...(common.isActivatedEIP(1559) ? { baseFeePerGas: 1n } : {}),
        ...(common.isActivatedEIP(4844) ? { excessBlobGas: 0n } : {}),
        ...(common.isActivatedEIP(7843) ? { slotNumber: 0n } : {}),
      } as never,
    },
    { common, skipConsensusFormatValidation: true },
  );
  const before = await vm.stateManager.getStateRoot();
  try {
    const signed = createTx(dataOf(tx), { common, freeze: false });
    signed.getSenderAddress = () => new Address(tx.sender);
    const result = await runTx(vm, { tx: signed, block, skipBlockGasLimitValidation: true });
    return wholeOf(result);
  } catch (error) {
    // A rejected transaction leaves the state as it was; anything else is a fault of the VM.
    if (!isRejection(error)) throw error;
    await vm.stateManager.setStateRoot(before);
    return undefined;
  }
}

function isRejection(error: unknown): boolean {
  return error instanceof Error && /gas|balance|nonce|fee|initcode|blob|fund|list/i.test(error.message);
}

function dataOf(tx: TransactionFields): TypedTxData {
  const isTypedFee = tx.type >= 2;
  const quantity = (value: bigint): `0x${string}` => `0x${value.toString(16)}`;
  return {
    type: tx.type,
    chainId: 1n,
    nonce: tx.nonce,
    gasLimit: tx.gasLimit,
    ...(tx.to === undefined ? {} : { to: new Address(tx.to) }),
    value: tx.value,
    data: tx.data,
    ...(isTypedFee
      ? { maxFeePerGas: tx.maxFeePerGas, maxPriorityFeePerGas: tx.maxPriorityFeePerGas }
      : { gasPrice: tx.maxFeePerGas }),
    ...(tx.type === 0
      ? {}
      : {
          accessList: tx.accessList.map(({ address, storageKeys }) => ({
            address: encodeData(address),
            storageKeys: storageKeys.map(encodeData),
          })),
        }),
    ...(tx.type === 3
      ? { maxFeePerBlobGas: tx.maxFeePerBlobGas, blobVersionedHashes: tx.blobVersionedHashes.map(encodeData) }
      : {}),
    ...(tx.type === 4
      ? {
          authorizationList: tx.authorizations.map(({ chainId, address, nonce, yParity, r, s }) => ({
            chainId: quantity(chainId),
            address: encodeData(address),
            nonce: quantity(nonce),
            yParity: quantity(yParity),
            r: quantity(r),
            s: quantity(s),
          })),
        }
      : {}),
    v: tx.type === 0 ? 27n : 0n,
    r: 1n,
    s: 1n,
  } as never;
}

function wholeOf(result: RunTxResult): WholeTransaction {
  const { execResult, totalGasSpent, blockGasSpent } = result;
  const { txRegularGas, txStateGas } = result as { readonly txRegularGas?: bigint; readonly txStateGas?: bigint };
  return {
    succeeded: execResult.exceptionError === undefined,
    gasUsed: totalGasSpent,
    blockGas: txRegularGas ?? blockGasSpent ?? totalGasSpent,
    stateGas: txStateGas ?? 0n,
    logs: (execResult.logs ?? []).map(([address, topics, data]) =>
      [address, ...topics, data].map(bytesToHex).join(" "),
    ),
  };
}
