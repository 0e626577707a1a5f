/** The accounts this node can sign for. */
import type { Keyring } from "../../keyring/keyring.ts";
import type { Bytes } from "../../primitives/bytes/bytes.ts";

export class AccountsService {
  readonly #keyring: Keyring;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /** Addresses in derivation order. */
  list(): readonly Bytes[] {
    return this.#keyring.accounts.map(({ address }) => address);
  }
}
