import type { WholeReservation } from '#tickets';
import { SavedNote } from '../../codes/saved-note.js';
import { currency, currentLanguage, moneyWords, sumOf, toCents } from '#kernel';
import type { TenantIdentity } from '#tenancy';
import { pageDocument, ShareLinks, type Venue } from '#page-kit';
import { mailsTickets } from '../pages/next-step.js';
import { calendarLinks } from '../parts/calendar-links.js';
import { HeldEventHead, type HeldEvent } from '../parts/held-event.js';
import { holderWordsFor } from '../pages/holder.words.js';
import { AccountLink, ReceiptLink } from '../pages/page-parts.js';

interface DonePageFacts {
  readonly tenant: TenantIdentity;
  readonly venue: Venue;
  readonly held: HeldEvent;
  /** Assumed duration of an event without an end. */
  readonly eventMinutes: number;
  /** Whether this server sends mails. */
  readonly mailed: boolean;
  /** Path of the holder's page. */
  readonly path: string;
}

/** The page after an order: that it is done, where its tickets are, and what one does next. The tickets stand on the holder's page. */
export function donePage(reservation: WholeReservation, { tenant, venue, held, eventMinutes, mailed, path }: DonePageFacts): string {
  const language = currentLanguage();
  const { tickets, email, event, payments, usedCode } = reservation;
  const words = holderWordsFor(language, tickets);
  const calendars = calendarLinks(held, tenant.timeZone, { eventMinutes });
  const paid = sumOf(payments.filter(({ kind, status, method }) => kind === 'payment' && status === 'paid' && method !== 'offered'));
  const main = (
    <div class="flow">
      <div class="two">
        <div class="done flow">
          {toCents(paid) > 0 && (
            <p>
              <span class="stamp stamp-good">{words.donePaid(moneyWords(paid, currency, language))}</span>
            </p>
          )}
          <h1>{words.doneTitle}</h1>
          <SavedNote used={usedCode} tickets={tickets} />
          <p class="lead">{mailsTickets(reservation, mailed) ? words.doneMailed(email) : words.doneKept}</p>
          <p class="actions">
            <a class="button" href={path}>
              {words.showTickets}
            </a>
            <a class="button other" href={`${path}/tickets.pdf`}>
              {words.download}
            </a>
          </p>
          <p class="small share">
            <a href={`${path}/tickets/${tickets.find(({ status }) => status !== 'R')?.id ?? ''}/event.ics`}>{words.calendar}</a>
            <a href={calendars.google} rel="noopener noreferrer">
              {words.googleCalendar}
            </a>
            <a href={calendars.outlook} rel="noopener noreferrer">
              {words.outlook}
            </a>
          </p>
          <ReceiptLink sold={reservation} path={path} />
          <AccountLink />
        </div>
        <div class="holder ticket ticket-whole">
          <HeldEventHead held={held} />
        </div>
      </div>
      {event.published && !event.isPrivate && (
        <>
          <h2>{words.bring}</h2>
          <p class="share">
            <ShareLinks event={event} url={held.url} />
          </p>
        </>
      )}
    </div>
  );
  const title = `${words.doneTitle} · ${tenant.name}`;
  return pageDocument({ tenant, language, title, main, venue, sheet: 'holder' });
}
