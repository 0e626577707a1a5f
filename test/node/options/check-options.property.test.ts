import fc from "fast-check";
import { expect, it } from "vitest";
import { InvalidParamsError } from "../../../src/errors/hindcast-error.ts";
import { checkListenIpcOptions, checkListenOptions, checkOptions } from "../../../src/node/options/check-options.ts";

const NODE_OPTIONS =
  "dataDir genesis hardfork chainId accounts balance mnemonic derivationPath gasLimit baseFeePerGas gasPrice " +
  "priorityFeePerGas coinbase mining timestamp clock create2Deployer slotsInAnEpoch responseShape traceClient dialect " +
  "clientVersion transactionOrder autoImpersonate codeSizeLimit poolLimits limits maxBatchLength clientVersion onRequest onError";

const anyValue = fc.oneof(
  fc.anything({ withBigInt: true, withMap: true, withDate: true, withNullPrototype: true }),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1, -1n, 2n ** 256n, "", "0x", Symbol("s"), () => 1),
);

/** The error of a check; undefined if it takes the options. */
function refusal(check: (options: never) => void, options: object): unknown {
  try {
    check(options as never);
    return undefined;
  } catch (error) {
    return error;
  }
}

it.each([
  ["createNode()", checkOptions, NODE_OPTIONS],
  ["listen()", checkListenOptions, "port host allowedHosts allowedOrigins allowsLocalOrigins maxBodyBytes explorer"],
  ["listenIpc()", checkListenIpcOptions, "path maxRequestBytes"],
] as const)("any value of an option of %s is taken, or refused by the option's name", (_of, check, names) => {
  const name = fc.oneof(fc.constantFrom(...names.split(" ")), fc.string({ minLength: 1 }));
  fc.assert(
    fc.property(name, anyValue, (option, value) => {
      const error = refusal(check, { ...(check === checkListenIpcOptions ? { path: "x" } : {}), [option]: value });
      if (error === undefined) {
        expect(names.split(" ")).toContain(option);
        return;
      }
      expect(error).toBeInstanceOf(InvalidParamsError);
      expect(error).toMatchObject({ code: "INVALID_OPTION", what: expect.stringContaining(option) });
    }),
  );
});
