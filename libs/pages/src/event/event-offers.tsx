import { mostUnpaid } from '#tickets';
import { eventEnd } from '#catalogue';
import { costsNothing, type Language } from '#kernel';
import { pageWords } from '#page-kit';
import { usualFewLeft } from '#places';
import type { VNode } from 'preact';
import type { PublicPrice } from '../public-events/public-events.service.js';
import { bookingWords } from '../ticket-forms/booking.words.js';
import { shutWords } from '../ticket-forms/sale-words.js';
import { TicketForm } from '../ticket-forms/booking-form.js';
import type { BookingOffer } from '../ticket-forms/booking-offer.js';
import { WaitingListForm, type WaitingForm } from '../ticket-forms/waiting-form.js';
import { waitingFormWords } from '../ticket-forms/waiting-form.words.js';
import { StatedOffers } from './event-details.js';
import type { EventPageInput } from './event-json-ld.js';
import { Prices } from './prices.js';
import { Card } from '../ticket-forms/card.js';
import { isTellable, TellForm } from '../following/tell-form.js';

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
  const form = (title: string, lead?: string): VNode | undefined =>
    booking && <TicketForm offer={offerOf(input, booking.canPay)} form={booking.form} title={title} lead={lead} language={language} />;
  const openWords = slot?.soldOut ? words.slotFull : words.slotOpen;
  const isOpen = slot && eventEnd(event, settings) >= now;
  return (
    <>
      {isOpen &&
        ((sold.length === 0 && form(words.volunteering, openWords)) || (
          <Card title={words.volunteering} isWhole>
            <p>{openWords}</p>
          </Card>
        ))}
      {sold.length > 0 &&
        (form(words.prices) ?? (
          <Card title={words.prices} note={saleState(sold, language, tenant.timeZone)} isWhole>
            <Prices prices={sold} language={language} timeZone={tenant.timeZone} />
            {isTellable(input, now) && <TellForm slug={event.slug} language={language} />}
          </Card>
        ))}
      {prices.length === 0 && stated.length > 0 && (
        <Card title={words.prices} isWhole>
          <StatedOffers offers={stated} language={language} />
        </Card>
      )}
    </>
  );
}

/** Why nothing can be bought here: what is true of every price, or that the venue sells them. */
function saleState(prices: readonly PublicPrice[], language: Language, timeZone: string): string | undefined {
  const states = new Set(prices.filter(({ admits }) => admits).map((price) => shutWords(price, language, timeZone)));
  const [state] = states;
  if (states.size !== 1) return undefined;
  return state ?? bookingWords[language].atVenueOnly;
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
    isVolunteering: event.category === 'ACT',
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
  return (
    <section class="ticket ticket-whole">
      {isFolded ? (
        <details class="fold" open={form.faults !== undefined}>
          <summary>{title}</summary>
          {content}
        </details>
      ) : (
        <>
          <div class="ticket-title">
            <h2>{title}</h2>
          </div>
          {content}
        </>
      )}
    </section>
  );
}
