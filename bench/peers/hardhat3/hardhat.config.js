/** Hardhat 3's node with the settings that all nodes of the comparison share. */
export const networks = {
  default: {
    type: "edr-simulated",
    chainType: "l1",
    chainId: 31_337,
    hardfork: "prague",
    blockGasLimit: 60_000_000,
    accounts: { mnemonic: "test test test test test test test test test test test junk" },
  },
};
// biome-ignore lint/style/noDefaultExport: Hardhat reads it
export default { networks: { ...networks, node: networks.default } };
