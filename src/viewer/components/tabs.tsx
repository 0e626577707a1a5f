/** Tabs by the ARIA pattern: arrow keys move between them. The chosen tab is part of the page's address. */
import type { ComponentChildren, JSX } from "preact";
import { setQuery } from "../route.ts";
import { useSide } from "./side.ts";

/** One tab; its content is made when it is shown. */
export interface Tab {
  readonly id: string;
  readonly label: ComponentChildren;
  readonly content: () => ComponentChildren;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** Id from the page's address; null for the first tab. */
  readonly chosen: string | null;
}

/** The first tab is shown unless `chosen` names another. */
export function Tabs({ label, tabs, chosen }: TabsProps): JSX.Element {
  const side = useSide();
  const current = tabs.find(({ id }) => id === chosen) ?? (tabs[0] as Tab);
  const onKey = (event: KeyboardEvent): void => {
    const offset = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (offset === undefined) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(current) + offset + tabs.length) % tabs.length] as Tab;
    setQuery({ tab: next.id });
    document.getElementById(side.id(`tab-${next.id}`))?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={side.label(label)} onKeyDown={onKey}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={side.id(`tab-${tab.id}`)}
            aria-selected={tab === current}
            aria-controls={side.id("tab-panel")}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => setQuery({ tab: tab.id })}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={side.id("tab-panel")} aria-labelledby={side.id(`tab-${current.id}`)} key={current.id}>
        {current.content()}
      </div>
    </div>
  );
}
