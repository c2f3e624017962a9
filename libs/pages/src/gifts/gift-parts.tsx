import type { WholeReservation } from '#tickets';
import { currentLanguage, dateOf } from '#kernel';
import { Stacked } from '#http';
import { leafWords, When } from '#page-kit';
import { currentTenant } from '#tenancy';
import type { ComponentChildren, VNode } from 'preact';
import { ticketWords, type HeldTicket } from '../holder/pages/held-ticket.js';
import { giftWordsFor } from '../holder/parts/gift.words.js';

interface GiftCardProps {
  readonly reservation: WholeReservation;
  readonly ticket: HeldTicket;
  /** Words of the giver; empty: none. */
  readonly message: string;
  /** Before the words: for whom it is, or from whom. */
  readonly head: ComponentChildren;
  /** Below the words. */
  readonly children?: ComponentChildren;
}

/** The card of a ticket that is given: the words of the giver, and what the ticket is for. It has no price. */
export function GiftCard({ reservation, ticket, message, head, children }: GiftCardProps): VNode {
  const words = giftWordsFor(currentLanguage(), ticket);
  return (
    <>
      <div class="ticket">
        <p class="small">{head}</p>
        {message !== '' && (
          <p class="lead" dir="auto">
            {words.open}
            <Stacked>{message.split('\n')}</Stacked>
            {words.close}
          </p>
        )}
        {children}
      </div>
      <div class="stub stub-plain">
        <GivenEvent reservation={reservation} ticket={ticket} />
      </div>
    </>
  );
}

/** The event and the ticket that is given, without its price. */
export function GivenEvent({ reservation: { event }, ticket }: Pick<GiftCardProps, 'reservation' | 'ticket'>): VNode {
  const language = currentLanguage();
  const { timeZone } = currentTenant();
  const [weekday, day, month] = leafWords(event.startsAt, language, timeZone);
  return (
    <div class="beside">
      <time class="date caps" datetime={dateOf(event.startsAt, timeZone)} aria-hidden="true">
        <b>{day}</b>
        <span>{weekday}</span>
        <span>{month}</span>
      </time>
      <p class="small">
        <b dir="auto">{event.name}</b>
        <br />
        <When event={event} language={language} timeZone={timeZone} />
        <br />
        {ticketWords({ ...ticket, firstName: '', lastName: '' }, event.name)}
      </p>
    </div>
  );
}
