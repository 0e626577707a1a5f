/** Shows the progress of requests that mine many blocks. */
import { createProgress, type Progress, type ProgressOptions } from "./progress.ts";

/** @returns a function that is called for each mined block, with the blocks mined so far and in total */
export function miningProgress(options: Omit<ProgressOptions, "label">): (blocks: number, total: number) => void {
  let opened: { readonly progress: Promise<Progress>; current: Progress | undefined } | undefined;
  return (blocks, total) => {
    if (blocks === total) {
      void opened?.progress.then((progress) => progress.stop());
      opened = undefined;
      return;
    }
    if (opened === undefined) {
      const entry = {
        progress: createProgress({ ...options, label: "Mining" }),
        current: undefined as Progress | undefined,
      };
      void entry.progress.then((progress) => {
        entry.current = progress;
      });
      opened = entry;
    }
    opened.current?.update(blocks / total, `${blocks} of ${total} blocks`);
  };
}
