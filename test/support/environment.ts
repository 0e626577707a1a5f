/** Removes a user's preferences and node settings from the environment of tests and of the programs they start. */
import "./bytes-equality.ts";

/** Those that tests look at themselves. */
const OF_TESTS = /^HINDCAST_(?:SEED|SLOW|CONFORMANCE|EVERY|FUZZ_REQUESTS|TEST_POSTGRES|SHARED_FAULTS|FLIPS)$/;

for (const name of Object.keys(process.env)) {
  const isOfCommand = name.startsWith("HINDCAST_") && !OF_TESTS.test(name);
  if (isOfCommand || ["FORCE_COLOR", "NO_COLOR", "ANVIL_IP_ADDR"].includes(name)) delete process.env[name];
}
