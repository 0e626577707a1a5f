/**
 * Lets the control services simulate calls. They have a port for this, because they must not import the simulation
 * services.
 */
import { LATEST } from "../chain/blocks/block-id.ts";
import { ExecutionError } from "../errors/hindcast-error.ts";
import type { ContractProbe } from "../services/control/tokens.ts";
import type { AccessListService } from "../services/simulate/call/access-list.ts";
import type { CallService } from "../services/simulate/call/call.ts";

/** Builds the port of `services/control/tokens.ts`. Calls run after the head; a call that fails gives undefined. */
export function contractProbe(calls: CallService, accessLists: AccessListService): ContractProbe {
  return {
    slotsOf: async (to, data) => {
      const { accessList } = await accessLists.create({ call: { to, data }, id: LATEST });
      return accessList.flatMap(({ address, storageKeys }) => storageKeys.map((slot) => ({ address, slot })));
    },
    call: async (to, data, { address, slot, value }) => {
      const accounts = [{ address, stateDiff: [{ slot, value }] }];
      try {
        return await calls.call({ call: { to, data }, id: LATEST, overrides: { accounts } });
      } catch (error) {
        if (error instanceof ExecutionError) return undefined;
        throw error;
      }
    },
  };
}
