/** All questions. */
import { ACCOUNTS } from "./accounts.ts";
import { BLOCKS } from "./blocks.ts";
import { CALLS } from "./calls.ts";
import { FILTERS } from "./filters.ts";
import { GANACHE } from "./ganache.ts";
import { MINING } from "./mining.ts";
import type { Question } from "./question.ts";
import { SENDING } from "./sending.ts";

export const QUESTIONS: readonly Question[] = [
  ...ACCOUNTS,
  ...BLOCKS,
  ...CALLS,
  ...SENDING,
  ...MINING,
  ...FILTERS,
  ...GANACHE,
];
