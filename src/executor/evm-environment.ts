/** What a frame is made of, and what it knows of where it runs, as EthereumJS' handlers read it. */
import type { EVMRunCallOpts, Message } from "@ethereumjs/evm";
import { Account, type Address } from "@ethereumjs/util";
import type { Bytes } from "../primitives/bytes.ts";
import type { AccountState, WorkingStateView } from "../state/view.ts";
import type { RunState } from "./evm-types.ts";

export type Environment = RunState["env"];

/** A message whose code is loaded; creations are marked by EthereumJS. */
export type LoadedMessage = Message & { readonly isCreate?: boolean };

/** A message that calls an address. */
export type CalledMessage = LoadedMessage & { readonly to: NonNullable<Message["to"]> };

/** What a frame is made of: EthereumJS' Message or our own. */
export type FrameMessage = Pick<
  LoadedMessage,
  "caller" | "data" | "value" | "code" | "isStatic" | "depth" | "gasLimit" | "gasRefund" | "codeAddress"
> & {
  readonly to?: Message["to"];
  readonly isCreate?: boolean;
  readonly selfdestruct?: Message["selfdestruct"];
  readonly createdAddresses?: Message["createdAddresses"];
  readonly blobVersionedHashes?: Message["blobVersionedHashes"];
};

/** What a frame takes from the transaction and the block. */
export interface FrameContext {
  readonly block: NonNullable<EVMRunCallOpts["block"]>;
  readonly gasPrice: bigint;
  readonly origin: Environment["origin"];
  readonly view: WorkingStateView;
}

/** The run state of a frame that this room made. */
export type FrameState = RunState & { readonly env: FrameEnvironment };

export class FrameEnvironment implements Environment {
  readonly address: Address;
  readonly caller: Address;
  readonly callData: Bytes;
  readonly callValue: bigint;
  readonly code: Bytes;
  isStatic: boolean;
  readonly isCreate: boolean;
  readonly depth: number;
  readonly gasPrice: bigint;
  readonly origin: Address;
  readonly block: Environment["block"];
  readonly codeAddress: Address;
  readonly gasRefund: bigint;
  readonly blobVersionedHashes: Environment["blobVersionedHashes"];
  readonly createdAddresses: NonNullable<FrameMessage["createdAddresses"]>;
  readonly #view: WorkingStateView;
  #contract: Account | undefined;

  constructor(message: FrameMessage, address: Address, { block, gasPrice, origin, view }: FrameContext) {
    this.address = address;
    this.caller = message.caller;
    this.callData = message.data;
    this.callValue = message.value;
    this.code = message.code as Bytes;
    this.isStatic = message.isStatic;
    this.isCreate = message.isCreate ?? false;
    this.depth = message.depth;
    this.gasPrice = gasPrice;
    this.origin = origin;
    this.block = block;
    this.codeAddress = message.codeAddress;
    this.gasRefund = message.gasRefund;
    this.blobVersionedHashes = message.blobVersionedHashes ?? [];
    this.createdAddresses = message.createdAddresses ?? new Set();
    this.#view = view;
  }

  /** The running account. Most frames never look at it, so it is made when one does. */
  get contract(): Account {
    this.#contract ??= toCoreAccount(this.#view.getAccount(this.address.bytes));
    return this.#contract;
  }

  set contract(account: Account) {
    this.#contract = account;
  }

  /** A child may have changed the running account. */
  forgetContract(): void {
    this.#contract = undefined;
  }
}

/** Frames are made for accounts that have been read; those answer at once from then on. */
function toCoreAccount(account: AccountState | undefined | Promise<unknown>): Account {
  if (account instanceof Promise) throw new TypeError("the running account was not read before its frame began");
  return account === undefined
    ? new Account()
    : new Account(account.nonce, account.balance, account.storageRoot, account.codeHash);
}
