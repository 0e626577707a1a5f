/** Lists the events of a transaction, decoded if the ABI is known. */
import type { JSX } from "preact";
import { Panel, Pill, SaveButtons } from "../parts/data.tsx";
import { Address } from "../parts/hashes.tsx";
import { Empty } from "../parts/states.tsx";
import { shown } from "../text/shown.ts";
import type { Event, WholeTransaction } from "./load.ts";

/** Includes events of failed calls, which are marked. */
export function EventsTab({ whole }: { readonly whole: WholeTransaction }): JSX.Element {
  const { events } = whole;
  if (events.length === 0) return <Empty>No events.</Empty>;
  const rows = events.map(({ address, text, topics, data, isUndone }) => ({
    address,
    text,
    topics: topics.join(" "),
    data,
    isUndone,
  }));
  return (
    <Panel title="Events" actions={<SaveButtons name="events" rows={rows} />}>
      <ol class="events">
        {events.map((event, index) => (
          <EventItem key={`${event.call.index}-${index}`} event={event} />
        ))}
      </ol>
    </Panel>
  );
}

function EventItem({ event }: { readonly event: Event }): JSX.Element {
  const { address, text, topics, data, isUndone } = event;
  return (
    <li class={isUndone ? "is-undone" : ""}>
      <p>
        <Address of={address} />{" "}
        {text === null ? <span class="quiet">unknown event</span> : <code class="fn">{shown(text, 800)}</code>}{" "}
        {isUndone ? <Pill tone="warn">taken back</Pill> : null}
      </p>
      <details>
        <summary>Topics and data</summary>
        <ol class="topics" start={0}>
          {topics.map((topic, index) => (
            <li key={index}>
              <code>{topic}</code>
            </li>
          ))}
        </ol>
        <pre>{shown(data, 2_100)}</pre>
      </details>
    </li>
  );
}
