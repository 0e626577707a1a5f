/** Hardhat's node with the settings that all nodes of the comparison share. */
module.exports = {
  solidity: "0.8.30",
  networks: {
    hardhat: {
      chainId: 31337,
      hardfork: "prague",
      blockGasLimit: 60_000_000,
      accounts: { mnemonic: "test test test test test test test test test test test junk" },
    },
  },
};
