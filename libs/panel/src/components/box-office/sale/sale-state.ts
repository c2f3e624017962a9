import { amountOf, less, sum, times } from '#panel-kit/components/shared/numbers.js';
import type { Answer, Faults } from '#panel-kit/components/page/view.js';
import type { CodedView, PriceView, SaleView } from '../../../box-office/sale-view.js';
import type { SoldView } from '../../../box-office/sold-view.js';
import { answerField, linesToSend, type Quantities, type TypedAnswers } from '../../questions/BuyerQuestions.js';

/** The key of the memberships among the parts of a sale; those of tickets have the id of their event. */
export const MEMBERSHIPS = 'memberships';

/** How people pay at the venue; `account`: a customer pays later. */
export type Method = Exclude<SoldView['method'], 'reader'>;

/** A card reader, which is asked for the sum. */
export interface Reader {
  readonly id: string;
  readonly name: string;
}

/** Typed amounts of free prices, by price. */
export type Amounts = Readonly<Record<string, string>>;

/** What is chosen of one event, or of the memberships. */
export interface SalePart {
  readonly quantities: Quantities;
  readonly amounts: Amounts;
  readonly optionIds: readonly string[];
  readonly answers: TypedAnswers;
  /** As it is typed. */
  readonly code: string;
  /** What the server said about it; null: nothing yet. */
  readonly coded: CodedView | null;
}

/** The whole form; parts by key. */
export interface SaleForm {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: string;
  /** The code of a gift card that pays first, as it is typed. */
  readonly giftCard: string;
  /** The customer on whose account it is sold; empty: none. */
  readonly customerId: string;
  readonly parts: Readonly<Record<string, SalePart>>;
}

/** What is sold in each part, by key. */
export type Sales = Readonly<Record<string, SaleView>>;

/** What is chosen of a part. */
export interface ChosenPart {
  readonly key: string;
  readonly event: SaleView['event'];
  readonly count: number;
  readonly total: string;
  /** What its code saves; `0.00`: nothing. */
  readonly saved: string;
  /** Its code was not asked yet, so that its total is not known. */
  readonly isOpen: boolean;
  readonly isAdmission: boolean;
}

export const EMPTY_PART: SalePart = { quantities: {}, amounts: {}, optionIds: [], answers: {}, code: '', coded: null };
export const EMPTY: SaleForm = { email: '', firstName: '', lastName: '', language: '', giftCard: '', customerId: '', parts: {} };

/** Whether the server has not answered about the code of a part. */
export const isCodeOpen = ({ code, coded }: Pick<SalePart, 'code' | 'coded'>): boolean => code.trim() !== (coded?.typed ?? '');

/** What a piece of a price costs with the code of its part; undefined: the code does not reduce it. */
export const codedAmount = ({ coded }: Pick<SalePart, 'coded'>, { id }: Pick<PriceView, 'id'>): string | undefined => coded?.amounts[id];

/** What is chosen of each part: number, amount, and whether all of it are tickets. */
export function chosenParts({ parts }: Pick<SaleForm, 'parts'>, sales: Sales): ChosenPart[] {
  return Object.entries(parts).flatMap(([key, part]) => {
    const { quantities, amounts } = part;
    const lines = (sales[key]?.prices ?? []).map((price) => ({ price, quantity: quantities[price.id] ?? 0 }));
    const chosen = lines.filter(({ quantity }) => quantity > 0);
    if (chosen.length === 0) return [];
    const full = sum(chosen.map(({ price, quantity }) => times(amountOf(price, amounts), quantity)));
    const total = sum(chosen.map(({ price, quantity }) => times(codedAmount(part, price) ?? amountOf(price, amounts), quantity)));
    return [
      {
        key,
        event: sales[key]?.event ?? null,
        count: chosen.reduce((all, { quantity }) => all + quantity, 0),
        total,
        saved: less(full, total),
        isOpen: isCodeOpen(part),
        isAdmission: chosen.every(({ price }) => price.admits),
      },
    ];
  });
}

/** The code for a membership: one that is refused for all is sent, so that the sale says why. */
const codeOf = ({ code, coded }: SalePart, { priceId }: { readonly priceId: string }): string =>
  coded?.fault !== null || coded.amounts[priceId] !== undefined ? code : '';

/** The body of a sale. @returns also what `faultsOf` needs to assign the server's errors */
export function saleToSend({ parts, ...buyer }: SaleForm, sales: Sales, way: Method | Reader) {
  const lines = chosenParts({ parts }, sales).flatMap(({ key, event }) => {
    const [sale, part] = [sales[key], parts[key]];
    return sale && part ? [{ key, event, part, ...linesToSend(sale, part) }] : [];
  });
  const events = lines.filter(({ key }) => key !== MEMBERSHIPS);
  const memberships = lines
    .filter(({ key }) => key === MEMBERSHIPS)
    .flatMap(({ part, tickets, answers }) => tickets.map((line) => ({ ...line, ...answers, code: codeOf(part, line) })));
  return {
    data: {
      ...buyer,
      ...(typeof way === 'string' ? { paymentMethod: way } : { paymentMethod: 'reader', readerId: way.id }),
      parts: events.map(({ key, event, part, tickets, answers }) => ({
        ...answers,
        eventId: key,
        tickets,
        optionIds: part.optionIds,
        code: part.code,
        // Staff sell before people who wait only when the page says that some do.
        passesList: event !== null && event.waiting > 0,
      })),
      memberships,
    },
    sent: events.map(({ key, starts }) => ({ key, starts })),
  };
}

/** Errors by the key of their part; those of no part under `all`. */
export type SaleFaults = Readonly<Record<string, Faults>> & { readonly all: Faults };

/** The server's errors, assigned to the parts that were sent. */
export function faultsOf(errors: Answer<unknown>['errors'], sent: ReturnType<typeof saleToSend>['sent']): SaleFaults {
  const found: Record<string, Faults> & { all: Faults } = { all: {} };
  for (const [name, { message }] of Object.entries(errors ?? {})) {
    const [, kind, index, field = name] = /^(parts|memberships)\.(\d+)\.(.+)$/.exec(name) ?? [];
    const part = kind === 'parts' ? sent[Number(index)] : undefined;
    const key = kind === undefined ? 'all' : (part?.key ?? MEMBERSHIPS);
    const shown = answerField(field, part?.starts ?? []);
    const isPrice = kind === 'memberships' && shown !== 'code' && !shown.startsWith('answer_');
    found[key] = { ...found[key], [isPrice ? 'tickets' : shown]: message };
  }
  return found;
}
