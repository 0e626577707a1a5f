/** Finds out what became of the authorizations of a set-code transaction (EIP-7702), by JSON-RPC alone. */
import { ask } from "../../rpc/client.ts";
import type { Hex, Transaction } from "../../rpc/types.ts";

/** An authorization as it stands in the transaction. */
export type Authorization = NonNullable<Transaction["authorizationList"]>[number];

/** An authorization with its signer, and whether it was applied. */
export interface JudgedAuthorization {
  readonly authorization: Authorization;
  /** Undefined if the signature is of nobody. */
  readonly authority: string | undefined;
  /** Empty if it was applied; undefined if the node cannot run the transaction again. */
  readonly refusal: string | undefined;
}

type Difference = "=" | Readonly<Record<string, string | { readonly from: string; readonly to: string }>>;
type StateDiff = Readonly<Record<string, { readonly nonce: Difference; readonly code: Difference }>>;

/** Half of the order of secp256k1: a larger `s` is refused (EIP-2). */
const MOST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const ECRECOVER = "0x0000000000000000000000000000000000000001";

/** In the order of the transaction. Each success raises the nonce of its authority by one, which the next one meets. */
export async function judgeAuthorizations(tx: Transaction): Promise<readonly JudgedAuthorization[]> {
  const list = tx.authorizationList ?? [];
  const [authorities, chainId, replayed] = await Promise.all([
    Promise.all(list.map((each) => authorityOf(each).catch(() => undefined))),
    ask<Hex>("eth_chainId"),
    ask<{ readonly stateDiff: StateDiff }>("trace_replayTransaction", tx.hash, ["stateDiff"]).catch(() => undefined),
  ]);
  const nonces = new Map<string, bigint>();
  return list.map((authorization, index) => {
    const authority = authorities[index];
    if (authority === undefined) return { authorization, authority, refusal: "its signature is not valid" };
    if (![0n, BigInt(chainId)].includes(BigInt(authorization.chainId)))
      return { authorization, authority, refusal: `it is for chain ${BigInt(authorization.chainId)}` };
    if (replayed === undefined) return { authorization, authority, refusal: undefined };
    const change = replayed.stateDiff[authority];
    const before = change === undefined ? undefined : nonceBefore(change.nonce);
    // An authority whose nonce did not change had none of its authorizations applied.
    if (before === undefined)
      return { authorization, authority, refusal: "its nonce or the code of the account did not fit" };
    const isSender = authority === tx.from.toLowerCase();
    const nonce = nonces.get(authority) ?? before + (isSender ? 1n : 0n);
    if (BigInt(authorization.nonce) !== nonce)
      return {
        authorization,
        authority,
        refusal: `its nonce is ${BigInt(authorization.nonce)}, the account's was ${nonce}`,
      };
    nonces.set(authority, nonce + 1n);
    return { authorization, authority, refusal: "" };
  });
}

/** The nonce before the transaction; undefined if it did not change. */
function nonceBefore(difference: Difference): bigint | undefined {
  if (difference === "=") return undefined;
  const changed = difference["*"];
  return typeof changed === "object" ? BigInt(changed.from) : 0n;
}

/** Recovers the signer by the precompile: the page has no curve of its own. */
async function authorityOf({ chainId, address, nonce, yParity, r, s }: Authorization): Promise<string | undefined> {
  if (BigInt(s) > MOST_S || BigInt(yParity) > 1n) return undefined;
  const fields = item(digitsOf(chainId)) + item(address.slice(2)) + item(digitsOf(nonce));
  const message = `0x05${prefix(fields.length / 2, 0xc0)}${fields}`;
  const hash = await ask<Hex>("web3_sha3", message);
  const word = (value: string | bigint): string => BigInt(value).toString(16).padStart(64, "0");
  const data = `${hash}${word(BigInt(yParity) + 27n)}${word(r)}${word(s)}`;
  const output = await ask<Hex>("eth_call", { to: ECRECOVER, data }, "latest");
  return output.length === 66 ? `0x${output.slice(-40)}` : undefined;
}

/** The bytes of a number without leading zeros. */
function digitsOf(quantity: string): string {
  const digits = BigInt(quantity) === 0n ? "" : BigInt(quantity).toString(16);
  return digits.length % 2 === 0 ? digits : `0${digits}`;
}

/** RLP of up to 55 bytes. */
function item(digits: string): string {
  const isByte = digits.length === 2 && Number.parseInt(digits, 16) < 0x80;
  return isByte ? digits : prefix(digits.length / 2, 0x80) + digits;
}

const prefix = (length: number, base: number): string => (base + length).toString(16).padStart(2, "0");
