import type { WholeReservation } from '#tickets';
import { currentLanguage, isoInZone, untilWhen } from '#kernel';
import { leafWords, newlyTold, When } from '#page-kit';
import { currentTenant } from '#tenancy';
import type { VNode } from 'preact';
import { ticketLines } from '../frame/order-summary.js';
import { inboxWords } from './inbox.words.js';

interface HeldProps {
  readonly parts: readonly WholeReservation[];
  readonly heldUntil: Date | null;
}

/** What is held until it is confirmed, as a ticket. */
export function HeldCard({ parts, heldUntil }: HeldProps): VNode {
  const language = currentLanguage();
  const { timeZone } = currentTenant();
  return (
    <div class="ticket ticket-whole">
      <div class="ticket-title line">
        <h2 id="held">{inboxWords[language].held}</h2>
        {heldUntil !== null && <p class="small">{untilWhen(heldUntil, language, timeZone)}</p>}
      </div>
      {parts.map((part) => (
        <HeldPart part={part} />
      ))}
    </div>
  );
}

function HeldPart({ part }: { readonly part: WholeReservation }): VNode {
  const { event } = part;
  const language = currentLanguage();
  const { timeZone } = currentTenant();
  const [weekday, day, month] = leafWords(event.startsAt, language, timeZone);
  return (
    <>
      <div class="beside">
        <time class="date caps" datetime={isoInZone(event.startsAt, timeZone)}>
          <b>{day}</b>
          <span>{weekday}</span>
          <span>{month}</span>
        </time>
        <p class="small">
          <a href={`/event/${event.slug}`} dir="auto">
            <b>{event.name}</b>
          </a>
          <br />
          <When event={newlyTold(event)} language={language} timeZone={timeZone} />
        </p>
      </div>
      <ul class="leaders number">
        {ticketLines(part, language).map(({ what, amount }) => (
          <li>
            {what}
            <span>{amount}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
