import type { AskedMembershipOffer } from '#memberships';
import { codeKey, type Sale } from '#tickets';
import { amountOf, isAmount, type Question } from '#catalogue';
import { databaseNow, isUuid, RefusedInput, venueDayOf } from '#kernel';
import { currentTenant, hasModule } from '#tenancy';
import type { ViewOf } from '#panel-kit';
import { currentPanelRequest } from '#panel-kit';
import { questionField } from '../questions/answers.action.js';
import type { BoxOfficeServices } from './box-office.services.js';
import { priceWords } from './box-office.words.js';
import { askedQuote } from './sale-form.js';

/** Maximum number of events to choose from. For a later event, the box office is opened from the event's page. */
const mostEvents = 100;

/** The venue's day that a moment belongs to; a day ends at 04:00. */
const dayOf = (moment: Date): string => venueDayOf(moment, currentPanelRequest().timeZone);

/** What a code does at the prices of an event. */
type CodedPrices = {
  readonly typed: string;
  /** Why it cannot be used. */
  readonly fault: string | null;
  /** What a piece costs with it, by price; decimal text. */
  readonly amounts: Readonly<Record<string, string>>;
  /** Prices that it has places for, whether or not others are sold out. */
  readonly kept: string[];
};

/** The query of the page. */
type SaleQuery = Readonly<Record<'event' | 'code' | 'amounts' | 'quote', unknown>>;

/** The data of the page: the events, the prices of the chosen event, or of today's only event, and the memberships. */
export async function saleView(services: BoxOfficeServices, { event: wanted, code, amounts, quote }: Partial<SaleQuery>) {
  const asked = typeof code === 'string' ? code.slice(0, 100) : '';
  const chosenAmounts = typeof amounts === 'string' ? amounts : '';
  const { onSale, orders, mails, codes, giftCards, customers } = services;
  const today = dayOf(databaseNow());
  const events = (await onSale.events(mostEvents)).map(({ startsAt, endsAt, ...event }) => ({
    ...event,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
    isToday: dayOf(startsAt) <= today,
  }));
  const todays = events.filter(({ isToday }) => isToday);
  const only = events.length === 1 ? events[0] : todays.length === 1 ? todays[0] : undefined;
  const chosen = isUuid(wanted) ? wanted : only?.id;
  const sale = chosen === undefined ? undefined : await onSale.sale(chosen);
  const memberships = hasModule('membership') ? await orders.askedOffers() : [];
  return {
    events,
    eventId: sale?.event.id ?? null,
    language: currentTenant().language,
    mailed: mails.deliver,
    notOnSale: isUuid(wanted) && !sale,
    hasCodes: await codes.areUsed(),
    hasDiscounts: await services.quotes.areUsed(),
    quoted:
      typeof quote === 'string'
        ? (await services.quotes.quote(askedQuote(quote))).map(({ discounts, ...part }) => ({ ...part, discounts: [...discounts] }))
        : null,
    hasGiftCards: await giftCards.areIssued(),
    customers: await customers.offered(),
    coded: await codedAt(
      services,
      { eventId: sale?.event.id, memberships: wanted === 'memberships' ? memberships : [] },
      asked,
      chosenAmounts,
    ),
    readers: (await services.cardReaders.usable()).map(({ id, name }) => ({ id, name })),
    sale: sale ? ofEvent(sale) : null,
    memberships: memberships.length > 0 ? ofMemberships(memberships) : null,
  };
}

/** The view of the component `BoxOffice`. */
export type BoxOfficeView = ViewOf<typeof saleView>;

/** What it sells: of an event, or memberships. */
export type SaleView = NonNullable<BoxOfficeView['sale'] | BoxOfficeView['memberships']>;

/** What a code does at its prices. */
export type CodedView = NonNullable<BoxOfficeView['coded']>;

/** What its parts cost with discounts. */
export type QuotedView = NonNullable<BoxOfficeView['quoted']>;

/** One price of it. */
export type PriceView = SaleView['prices'][number];

/**
 * What prices cost with a typed code, or why it cannot be used. The sale decides again.
 * @param at memberships, otherwise an event
 * @param amounts JSON: what is typed at free prices, by id
 * @returns null for no code
 */
async function codedAt(
  { codes, orders }: BoxOfficeServices,
  { eventId, memberships }: { readonly eventId: string | undefined; readonly memberships: readonly AskedMembershipOffer[] },
  typed: string,
  amounts: string,
): Promise<CodedPrices | null> {
  if (typed.trim() === '' || (eventId === undefined && memberships.length === 0)) return null;
  const [code, chosen] = [codeKey(typed) ?? typed, amountsIn(amounts)];
  try {
    if (memberships.length > 0 || eventId === undefined) {
      const offers = memberships.map((offer) => ({ ...offer, amount: (chosen.get(offer.priceId) ?? offer.amount) as `${number}` }));
      const coded = await orders.withCode(code, offers);
      return { typed, fault: null, amounts: Object.fromEntries([...coded].map(([id, { amount }]) => [id, amount])), kept: [] };
    }
    const used = await codes.at(eventId, code, { chosen, decides: true });
    return { typed, fault: null, amounts: Object.fromEntries(used.amounts), kept: [...used.kept] };
  } catch (error) {
    if (!(error instanceof RefusedInput)) throw error;
    return { typed, fault: error.message, amounts: {}, kept: [] };
  }
}

function amountsIn(json: string): ReadonlyMap<string, string> {
  let typed: unknown;
  try {
    typed = JSON.parse(json || '{}');
  } catch {
    return new Map();
  }
  const entries = Object.entries(Object(typed) as object).filter((entry): entry is [string, string] => isAmount(entry[1]));
  return new Map(entries.map(([id, amount]) => [id, amountOf(amount)]));
}

function ofEvent({ event, prices, options, questions }: Sale) {
  return {
    event: { ...event, startsAt: event.startsAt.toISOString(), endsAt: null },
    prices: prices.map(({ isPass, name, ...price }) => ({
      ...price,
      ...windowOf(price),
      // Whoever sells a pass here sells one of its dates.
      name: isPass ? priceWords[currentPanelRequest().language].oneDate(name) : name,
      isSingle: false,
    })),
    options: options.map((option) => ({ ...option })),
    questions: questions.map(questionOf),
  };
}

/** Memberships in the shape of an event's sale. One person gets one of each. */
function ofMemberships(offers: readonly AskedMembershipOffer[]) {
  const questions = new Map(offers.flatMap((offer) => offer.questions).map((question) => [question.id, question]));
  return {
    event: null,
    prices: offers.map(({ priceId, name, productId, product, amount, freeAmount, soldOut, required, sale, ...offer }) => ({
      id: priceId,
      name,
      productId,
      product,
      amount,
      freeAmount,
      sale,
      ...windowOf(offer),
      remaining: soldOut ? 0 : 1,
      isSingle: true,
      admits: false,
      maxPerUser: null,
      membership: required,
    })),
    options: [],
    questions: [...questions.values()].map(questionOf),
  };
}

const windowOf = ({ salesFrom, salesUntil }: Pick<AskedMembershipOffer, 'salesFrom' | 'salesUntil'>) => ({
  salesFrom: salesFrom?.toISOString() ?? null,
  salesUntil: salesUntil?.toISOString() ?? null,
});

function questionOf(question: Question) {
  const { id, productId, scope } = question;
  return { productId, scope, field: questionField(question, id) };
}
