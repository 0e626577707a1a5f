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

/**
 * Height in pixels that browsers can lay out. A longer list is drawn as high, and scrolls faster than its scroll bar
 * moves.
 */
const MOST_HEIGHT = 15_000_000;
/** Extra rows in the document above and below the visible ones. */
const MARGIN = 12;

/** All rows have the same height in pixels. */
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
  const whole = count * rowHeight;
  const drawn = Math.min(whole, MOST_HEIGHT);
  /** Pixels of the list for a pixel of scrolling. */
  const scale = drawn === whole ? 1 : (whole - height) / (drawn - height);
  useEffect(() => {
    const element = box.current;
    if (element === null || current < 0) return;
    const at = current * rowHeight;
    const seen = element.scrollTop * scale;
    if (at < seen) element.scrollTop = at / scale;
    else if (at + rowHeight > seen + element.clientHeight)
      element.scrollTop = Math.ceil((at + rowHeight - element.clientHeight) / scale);
  }, [current, rowHeight, scale]);
  const first = Math.max(0, Math.floor((top * scale) / rowHeight) - MARGIN);
  const last = Math.min(count, Math.ceil((top * scale + height) / rowHeight) + MARGIN);
  const place = first * rowHeight - top * scale + top;
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
      <div class="virtual-all" role="presentation" style={{ height: `${drawn}px` }}>
        <div class="virtual-seen" role="presentation" style={{ transform: `translateY(${place}px)` }}>
          {rows}
        </div>
      </div>
    </div>
  );
}
