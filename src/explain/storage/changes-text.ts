/** Formats state changes: `Bank 0xAb…` and below it `balances[0xCd…]: 5 → 7  Bank.deposit (src/Bank.sol:63)`. */
import { checksumAddress } from "../../primitives/address.ts";
import { bytesKey } from "../../primitives/bytes/bytes.ts";
import { wordText } from "./value-text.ts";
import type { VariableChange, VariableWrite } from "./variable-changes.ts";

/** Lists the changes by account, and the writes that were undone. Empty if the transaction wrote nothing. */
export function changesText(changes: readonly VariableChange[]): string {
  const accounts = new Map<string, VariableChange[]>();
  for (const change of changes) {
    const key = bytesKey(change.account);
    accounts.set(key, [...(accounts.get(key) ?? []), change]);
  }
  return [...accounts.values()]
    .map((group) => [titleOf(group), ...group.map((change) => `  ${changeText(change)}`)].join("\n"))
    .join("\n");
}

function titleOf(group: readonly VariableChange[]): string {
  const contract = group.find((change) => change.contract !== undefined)?.contract;
  const [first] = group;
  const address = first === undefined ? "" : checksumAddress(first.account);
  return contract === undefined ? address : `${contract}@${address}`;
}

function changeText({ name, slot, unnamedBecause, before, after, writes, isTransient }: VariableChange): string {
  const title = name ?? `slot ${wordText(slot)}`;
  const last = writes.at(-1);
  const isUndone = writes.every((write) => write.isUndone);
  const value = isUndone
    ? `${before} (${last?.after} was undone)`
    : before === after
      ? `${before} (was ${
          writes
            .map((write) => write.after)
            .slice(0, -1)
            .join(", ") || after
        } meanwhile)`
      : `${before} → ${after}`;
  const notes = [isTransient ? "transient" : "", unnamedBecause ?? ""].filter((note) => note !== "");
  const place = last === undefined ? "" : placeText(last);
  return `${title}: ${value}${notes.length === 0 ? "" : ` [${notes.join("; ")}]`}${place === "" ? "" : `  ${place}`}`;
}

function placeText({ function: name, file, position, isApproximate }: VariableWrite): string {
  const place = file === undefined || position === undefined ? "" : `(${file}:${position.line})`;
  return [name, place, isApproximate ? "[approximate]" : ""]
    .filter((part) => part !== undefined && part !== "")
    .join(" ");
}
