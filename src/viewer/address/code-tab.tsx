/** Lists the instructions of a contract. */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { instructionOf, isKnownOpcode } from "../../evm/instructions.ts";
import { Panel } from "../components/data.tsx";
import { Copy } from "../components/hashes.tsx";
import { VirtualList } from "../components/virtual-list.tsx";
import { movedBy } from "../keys/list-keys.ts";
import { grouped } from "../text/format.ts";

const ROW_HEIGHT = 22;
const PAGE_ROWS = 25;

interface Line {
  readonly pc: number;
  readonly name: string;
  readonly immediate: string;
}

/** Arrow keys move along the instructions. */
export function CodeTab({ code }: { readonly code: string }): JSX.Element {
  const lines = useMemo(() => disassemble(code), [code]);
  const [current, setCurrent] = useState(0);
  const onKey = (event: KeyboardEvent): void => {
    const target = movedBy(event.key, current, lines.length, PAGE_ROWS);
    if (target === undefined) return;
    event.preventDefault();
    setCurrent(target);
  };
  return (
    <Panel title={`${grouped(lines.length)} instructions`} actions={<Copy text={code} what="the code" />}>
      <div class="list-box steps">
        <VirtualList
          count={lines.length}
          rowHeight={ROW_HEIGHT}
          label="Instructions"
          role="listbox"
          current={current}
          currentId={`code-${current}`}
          onKey={onKey}
          row={(index) => (
            <CodeLine key={index} line={lines[index] as Line} {...{ index }} isCurrent={index === current} />
          )}
        />
      </div>
    </Panel>
  );
}

function CodeLine(props: { readonly line: Line; readonly index: number; readonly isCurrent: boolean }): JSX.Element {
  const { line, index, isCurrent } = props;
  const kind = /^(JUMPDEST|STOP|RETURN|REVERT|INVALID|SELFDESTRUCT|JUMP|JUMPI)$/.test(line.name) ? "op fn" : "op";
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list around it has the focus and names its current row
    <div id={`code-${index}`} role="option" aria-selected={isCurrent} class={`step ${isCurrent ? "is-current" : ""}`}>
      <span class="quiet number">{line.pc.toString(16).padStart(4, "0")}</span>
      <span class={kind}>
        {line.name} <span class="after">{line.immediate}</span>
      </span>
    </div>
  );
}

/**
 * Lists all bytes as instructions. Metadata after the code is included, since the code does not show where it begins.
 */
function disassemble(code: string): readonly Line[] {
  const digits = code.slice(2);
  const lines: Line[] = [];
  for (let pc = 0; pc * 2 < digits.length; ) {
    const opcode = Number.parseInt(digits.slice(pc * 2, pc * 2 + 2), 16);
    const { name, immediate } = isKnownOpcode(opcode) ? instructionOf(opcode) : unknownOpcode(opcode);
    const bytes = digits.slice(pc * 2 + 2, (pc + 1 + immediate) * 2);
    lines.push({ pc, name, immediate: bytes === "" ? "" : `0x${bytes}` });
    pc += 1 + immediate;
  }
  return lines;
}

function unknownOpcode(opcode: number): { readonly name: string; readonly immediate: number } {
  return { name: `0x${opcode.toString(16).padStart(2, "0")}`, immediate: 0 };
}
