import { whyUnbookable } from '#selling';
import { hasModule } from '#tenancy';
import { mostUnpaid } from '#tickets';
import { eventEnd } from '#catalogue';
import { costsNothing, type Language } from '#kernel';
import { pageWords } from '#page-kit';
import { usualFewLeft } from '#places';
import type { VNode } from 'preact';
import { CodeForm } from '../codes/code-form.js';
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
import { hasSeriesDays, SeriesDays } from './series-days.js';
import { seriesWords } from './series.words.js';
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
  const dates = hasSeriesDays(input) ? <SeriesDays input={input} language={language} /> : undefined;
  const form = (title: string, lead?: string): VNode | undefined =>
    booking && (
      <TicketForm offer={offerOf(input, booking.canPay)} form={booking.form} title={title} lead={lead} dates={dates} language={language} />
    );
  const tickets = dates ? seriesWords[language].chooseDate : words.prices;
  const openWords = slot?.soldOut ? words.slotFull : words.slotOpen;
  const isOpen = slot && eventEnd(event, settings) >= now;
  return (
    <>
      {isOpen &&
        ((sold.length === 0 && form(words.volunteering, openWords)) || (
          <Card title={words.volunteering} dates={sold.length === 0 ? dates : undefined} isWhole>
            <p>{openWords}</p>
          </Card>
        ))}
      {sold.length > 0 &&
        (form(tickets) ?? (
          <Card title={tickets} note={saleState(input, sold, language)} dates={dates} isWhole>
            <Prices prices={sold} language={language} timeZone={tenant.timeZone} />
            {isTellable(input, now) && <TellForm slug={event.slug} hasPrivacy={input.venue.hasPrivacy === true} language={language} />}
          </Card>
        ))}
      {isComing(input) && (input.givenPlaces ?? 0) > 0 && <p class="hint">{bookingWords[language].givenPlaces(input.givenPlaces ?? 0)}</p>}
      {prices.length === 0 && stated.length > 0 && (
        <Card title={tickets} dates={dates} isWhole>
          <StatedOffers offers={stated} language={language} />
        </Card>
      )}
      {prices.length === 0 && stated.length === 0 && isComing(input) && hasModule('ticketing') && (
        <Card title={words.prices} isWhole>
          <p>{bookingWords[language].notSoldHere}</p>
        </Card>
      )}
    </>
  );
}

/**
 * The field for a code, where the venue has codes, or one was entered; beside a held order only the latter. Also where nothing else is
 * sold: a code may open hidden prices.
 */
export function CodeEntry({ input, language }: OffersProps): VNode | null {
  const { held, code, event } = input;
  if (held ? code === undefined : !asksForCode(input)) return null;
  // The order that the reader holds uses it.
  const form = held
    ? ({ action: `${held.path}/discount`, method: 'post' } as const)
    : ({ action: `/event/${event.slug}`, method: 'get' } as const);
  return (
    <section class="ticket ticket-whole">
      <CodeForm {...form} entered={code} language={language} />
    </section>
  );
}

export const asksForCode = (input: EventPageInput): boolean =>
  input.code !== undefined || (input.venue.hasCodes === true && hasModule('ticketing') && isComing(input) && input.isPreview !== true);

/** Whether visitors would look for tickets of the event here: it takes place, and is no page of another site. */
function isComing({ event, isCancelled, settings, now }: EventPageInput): boolean {
  return !isCancelled && event.alteration !== 'postponed' && event.sameAs === null && eventEnd(event, settings) >= now;
}

/** Why nothing can be bought here: what is true of every price, or that the venue sells them. */
function saleState({ event, tenant, booking }: EventPageInput, prices: readonly PublicPrice[], language: Language): string | undefined {
  const admitting = prices.filter(({ admits }) => admits);
  const payment = booking?.canPay ? 'open' : 'over';
  const reason = whyUnbookable({ ...event, isPostponed: event.alteration === 'postponed', payment }, admitting);
  if (reason === 'payment_over') return bookingWords[language].atVenueOnly;
  const states = new Set(admitting.map((price) => shutWords(price, language, tenant.timeZone)));
  return states.size === 1 ? [...states][0] : undefined;
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
  readonly hasPrivacy: boolean;
  readonly language: Language;
}

/** The form of the waiting list. */
export function WaitingList({ form, isFolded, hasPrivacy, language }: WaitingListProps): VNode {
  const { title } = waitingFormWords[language];
  const content = <WaitingListForm form={form} hasPrivacy={hasPrivacy} language={language} />;
  return (
    <section class="ticket ticket-whole">
      {isFolded ? (
        <details class="fold" open={form.faults !== undefined}>
          <summary class="line">{title}</summary>
          {content}
        </details>
      ) : (
        <>
          <div class="ticket-title line">
            <h2>{title}</h2>
          </div>
          {content}
        </>
      )}
    </section>
  );
}
