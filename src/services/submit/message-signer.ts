/** Signs messages and typed data, not transactions, with the node's accounts. */
import { InvalidParamsError } from "../../errors/hindcast-error.ts";
import type { Keyring } from "../../keyring/keyring.ts";
import { type Bytes, bigIntToFixedBytes, concatBytes } from "../../primitives/bytes/bytes.ts";
import { recoverPublicKey, signHash } from "../../primitives/curves/secp256k1.ts";
import { keccak256 } from "../../primitives/hash/hash.ts";
import { requireAccount } from "./accounts.ts";
import { hashTypedData, type TypedData } from "./typed-data.ts";

/** Serves `eth_sign`, `personal_sign` (EIP-191) and `eth_signTypedData_v4` (EIP-712). */
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
    return this.#sign(address, hashMessage(message));
  }

  /**
   * The address whose key signed a message under that prefix.
   *
   * @param signature - 65 bytes: r, s, and 27 or 28
   * @throws {InvalidParamsError} `INVALID_PARAMS` for bytes that are no signature
   */
  signerOf(message: Bytes, signature: Bytes): Bytes {
    const v = signature[64];
    if (signature.length !== 65 || (v !== 27 && v !== 28)) throw notSigned("expected 65 bytes that end with 27 or 28");
    try {
      const [r, s] = [signature.subarray(0, 32), signature.subarray(32, 64)];
      return keccak256(recoverPublicKey(hashMessage(message), r, s, BigInt(v - 27))).slice(12);
    } catch (error) {
      if (error instanceof TypeError) throw notSigned("no key could have made it");
      throw error;
    }
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
    const account = requireAccount(this.#keyring, address);
    const { r, s, yParity } = signHash(hash, account.privateKey);
    return concatBytes(bigIntToFixedBytes(r, 32), bigIntToFixedBytes(s, 32), Uint8Array.of(27 + yParity));
  }
}

function hashMessage(message: Bytes): Bytes {
  return keccak256(concatBytes(new TextEncoder().encode(`\x19Ethereum Signed Message:\n${message.length}`), message));
}

function notSigned(reason: string): InvalidParamsError {
  return new InvalidParamsError({ code: "INVALID_PARAMS", what: `params[1]: ${reason}: this is not a signature.` });
}
