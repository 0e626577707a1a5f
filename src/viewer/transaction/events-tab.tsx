/** Lists the events of a transaction, decoded if the ABI is known. */
import type { JSX } from "preact";
import { type Contracts, useContracts } from "../abi/contracts.ts";
import { decodeEvent, textOfDecoded } from "../abi/lookup.ts";
import { Panel, Pill, SaveButtons } from "../components/data.tsx";
import { Address } from "../components/hashes.tsx";
import { Empty } from "../components/states.tsx";
import { shown } from "../text/shown.ts";
import type { Event, WholeTransaction } from "./load.ts";

/** Includes events of failed calls, which are marked. */
export function EventsTab({ whole }: { readonly whole: WholeTransaction }): JSX.Element {
  const contracts = useContracts(whole.events.flatMap(({ text, address }) => (text === null ? [address] : [])));
  const events = whole.events.map((event) => withAbi(event, contracts));
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
          <EventItem key={index} event={event} />
        ))}
      </ol>
    </Panel>
  );
}

/** An event of a transaction without a trace, whose contract the node knows. */
function withAbi(event: Event, contracts: Contracts): Event {
  const contract = contracts.get(event.address);
  if (event.text !== null || contract === undefined) return event;
  const decoded = decodeEvent(contract, event.topics, event.data);
  return decoded === undefined ? event : { ...event, text: textOfDecoded(decoded) };
}

function EventItem({ event }: { readonly event: Event }): JSX.Element {
  const { address, text, topics, data, isUndone } = event;
  return (
    <li class={isUndone ? "is-undone" : ""}>
      <p>
        <Address of={address} />{" "}
        {text === null ? <span class="quiet">unknown event</span> : <code class="fn">{shown(text, 800)}</code>}{" "}
        {isUndone ? <Pill tone="warn">undone</Pill> : null}
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
