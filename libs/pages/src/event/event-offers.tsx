import { mostUnpaid } from '#tickets';
import { eventEnd } from '#catalogue';
import { costsNothing, type Language } from '#kernel';
import { pageWords } from '#page-kit';
import { usualFewLeft } from '#places';
import type { VNode } from 'preact';
import { TicketForm } from '../ticket-forms/booking-form.js';
import type { BookingOffer } from '../ticket-forms/booking-offer.js';
import { WaitingListForm, type WaitingForm } from '../ticket-forms/waiting-form.js';
import { waitingFormWords } from '../ticket-forms/waiting-form.words.js';
import { StatedOffers } from './event-details.js';
import type { EventPageInput } from './event-json-ld.js';
import { Prices } from './prices.js';
import { Section } from './section.js';
import { isTellable, TellForm } from './tell-form.js';

interface OffersProps {
  readonly input: EventPageInput;
  readonly language: Language;
}

/** Prices, and whether volunteers can still sign up; a form where something can be booked. */
export function Offers({ input, language }: OffersProps): VNode {
  const { event, prices, settings, now, tenant, booking } = input;
  const words = pageWords[language];
  const sold = prices.filter(({ volunteering }) => !volunteering);
  const slot = prices.find(({ volunteering }) => volunteering);
  const stated = event.details?.offers ?? [];
  // One form for everything: volunteers book beside goods that are sold for the slot.
  const form = booking && <TicketForm offer={offerOf(input, booking.canPay)} form={booking.form} language={language} />;
  return (
    <>
      {slot && eventEnd(event, settings) >= now && (
        <Section title={words.volunteering}>
          <p>{slot.soldOut ? words.slotFull : words.slotOpen}</p>
          {sold.length === 0 && form}
        </Section>
      )}
      {sold.length > 0 && (
        <Section title={words.prices}>
          {form ?? <Prices prices={sold} language={language} timeZone={tenant.timeZone} />}
          {isTellable(input, now) && <TellForm slug={event.slug} language={language} />}
        </Section>
      )}
      {prices.length === 0 && stated.length > 0 && (
        <Section title={words.prices}>
          <StatedOffers offers={stated} language={language} />
        </Section>
      )}
    </>
  );
}

function offerOf({ event, prices, venue, tenant, visitor }: EventPageInput, canPay: boolean): BookingOffer {
  // An event that costs nothing has a maximum of its own.
  const isFree = prices.every(({ admits, amount, freeAmount }) => !admits || (costsNothing(amount) && !freeAmount));
  return {
    prices,
    options: event.options.filter(({ published }) => published),
    maxPerUser: event.maxPerUser ?? (isFree && prices.some(({ admits }) => admits) ? mostUnpaid : null),
    canPay,
    timeZone: tenant.timeZone,
    fewLeft: venue.fewLeft ?? usualFewLeft,
    page: `/event/${event.slug}`,
    visitor,
  };
}

interface WaitingListProps {
  readonly form: WaitingForm;
  /** Something else can be booked; the form is folded away. */
  readonly isFolded: boolean;
  readonly language: Language;
}

/** The form of the waiting list. */
export function WaitingList({ form, isFolded, language }: WaitingListProps): VNode {
  const { title } = waitingFormWords[language];
  const content = <WaitingListForm form={form} language={language} />;
  if (!isFolded) return <Section title={title}>{content}</Section>;
  return (
    <section class="wide">
      <details class="names">
        <summary>{title}</summary>
        {content}
      </details>
    </section>
  );
}
