/** Signs messages and typed data, not transactions, with the node's accounts. */
import { NotFoundError } from "../../errors/hindcast-error.ts";
import type { Keyring } from "../../keyring/keyring.ts";
import { checksumAddress } from "../../primitives/address.ts";
import { type Bytes, bigIntToFixedBytes, concatBytes } from "../../primitives/bytes/bytes.ts";
import { signHash } from "../../primitives/curves/secp256k1.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { hashTypedData, type TypedData } from "./typed-data.ts";

export class MessageSigner {
  readonly #keyring: Keyring;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /**
   * Signs a message with the prefix of EIP-191 version 0x45, so that it cannot be a transaction.
   *
   * @returns 65 bytes: r, s, and 27 or 28
   * @throws {NotFoundError} `UNKNOWN_ACCOUNT`
   */
  signMessage(address: Bytes, message: Bytes): Bytes {
    const prefix = new TextEncoder().encode(`\x19Ethereum Signed Message:\n${message.length}`);
    return this.#sign(address, keccak256(concatBytes(prefix, message)));
  }

  /**
   * Signs typed structured data.
   *
   * @returns 65 bytes: r, s, and 27 or 28
   * @throws {NotFoundError} `UNKNOWN_ACCOUNT`
   * @throws {InvalidParamsError} `TYPED_DATA_INVALID`
   * @see EIP-712
   */
  signTypedData(address: Bytes, data: TypedData): Bytes {
    return this.#sign(address, hashTypedData(data));
  }

  #sign(address: Bytes, hash: Bytes): Bytes {
    const account = this.#keyring.getAccount(address);
    if (account === undefined) {
      throw new NotFoundError({
        code: "UNKNOWN_ACCOUNT",
        what: `unknown account ${checksumAddress(address)}`,
        fix: "The node has no key for it; eth_accounts lists the accounts that it signs for.",
      });
    }
    const { r, s, yParity } = signHash(hash, account.privateKey);
    return concatBytes(bigIntToFixedBytes(r, 32), bigIntToFixedBytes(s, 32), Uint8Array.of(27 + yParity));
  }
}
