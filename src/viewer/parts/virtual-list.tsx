/** A long list of which only the rows that are seen are in the page. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface VirtualListProps {
  readonly count: number;
  /** Of one row, in pixels. */
  readonly rowHeight: number;
  readonly label: string;
  readonly role: "tree" | "listbox" | "list";
  /** Index of the row that the keyboard stands on; it is kept in sight. */
  readonly current: number;
  readonly row: (index: number) => ComponentChildren;
  readonly onKey?: (event: KeyboardEvent) => void;
  /** Hears which rows are seen. */
  readonly onRange?: (first: number, last: number) => void;
  /** Id of the current row's element. */
  readonly currentId?: string;
}

/** Rows beyond those that are seen, at either end. */
const MARGIN = 12;

export function VirtualList(props: VirtualListProps): JSX.Element {
  const { count, rowHeight, label, role, current, row, onKey, onRange, currentId } = props;
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
    // biome-ignore lint/a11y/noStaticElementInteractions: its role is one of those that take keys
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: its role is one of those that have a current row
    <div
      class="virtual"
      ref={box}
      role={role}
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={currentId}
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
