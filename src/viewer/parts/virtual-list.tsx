/** A long list of which only the visible rows are in the document. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useSide } from "./side.ts";

interface VirtualListProps {
  readonly count: number;
  /** Height of one row in pixels. */
  readonly rowHeight: number;
  readonly label: string;
  readonly role: "tree" | "listbox" | "list";
  /** Index of the row that the keyboard has selected. The list scrolls so that it is visible. */
  readonly current: number;
  readonly row: (index: number) => ComponentChildren;
  readonly onKey?: (event: KeyboardEvent) => void;
  /** Called with the indexes of the first and last visible row. */
  readonly onRange?: (first: number, last: number) => void;
  /** Id of the selected row's element. */
  readonly currentId?: string;
}

/** Extra rows in the document above and below the visible ones. */
const MARGIN = 12;

export function VirtualList(props: VirtualListProps): JSX.Element {
  const { count, rowHeight, label, role, current, row, onKey, onRange, currentId } = props;
  const side = useSide();
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  useEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(() => setHeight(box.current?.clientHeight ?? 600));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (element === null || current < 0) return;
    const at = current * rowHeight;
    if (at < element.scrollTop) element.scrollTop = at;
    else if (at + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = at + rowHeight - element.clientHeight;
  }, [current, rowHeight]);
  const first = Math.max(0, Math.floor(top / rowHeight) - MARGIN);
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + MARGIN);
  useEffect(() => onRange?.(first, last), [first, last]);
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, index) => row(first + index));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its role is one that handles keys
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: its role is one that has an active descendant
    <div
      class="virtual"
      ref={box}
      role={role}
      aria-label={side.label(label)}
      tabIndex={0}
      aria-activedescendant={currentId === undefined ? undefined : side.id(currentId)}
      onKeyDown={onKey}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div class="virtual-all" role="presentation" style={{ height: `${count * rowHeight}px` }}>
        <div class="virtual-seen" role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {rows}
        </div>
      </div>
    </div>
  );
}
