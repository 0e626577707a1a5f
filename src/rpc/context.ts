/** The port that methods run on: the services and settings they may use. The composition root implements it. */

import type { ControlService } from "../services/control/control.ts";
import type { BlockQueries } from "../services/query/block-queries.ts";
import type { FeeQueries } from "../services/query/fee-queries.ts";
import type { LogQueries } from "../services/query/log-queries.ts";
import type { StateQueries } from "../services/query/state-queries.ts";
import type { CallService } from "../services/simulate/call.ts";
import type { TraceService } from "../services/simulate/trace.ts";
import type { AccountsService } from "../services/submit/accounts.ts";
import type { SubmitService } from "../services/submit/submit.ts";
import type { DebugService } from "../services/simulate/debug.ts";

export interface RpcContext {
  readonly chainId: bigint;
  /** What web3_clientVersion answers. */
  readonly clientVersion: string;
  readonly blocks: BlockQueries;
  readonly state: StateQueries;
  readonly logs: LogQueries;
  readonly fees: FeeQueries;
  readonly calls: CallService;
  readonly traces: TraceService;
  readonly accounts: AccountsService;
  readonly submit: SubmitService;
  readonly control: ControlService;
}
  readonly debug: DebugService;
