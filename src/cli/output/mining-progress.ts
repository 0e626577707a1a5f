/** Progress of requests for many blocks, from their first to their last. */
import { createProgress, type Progress, type ProgressOptions } from "./progress.ts";

/** @returns what the node tells of each block of a request for several: how many there are, and of how many */
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
