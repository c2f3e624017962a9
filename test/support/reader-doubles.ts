import { PaymentAccountsService } from '#payments';
import type { TenantIdentity } from '#tenancy';
import type { StripeApp } from './stripe-app.js';
import type { SumUpServer } from './sumup-server.js';

/** What a person does at a card reader, and what happens to requests, with any provider. */
export interface ReaderDouble {
  readonly provider: 'stripe' | 'sumup';
  /** A pairing code that a reader shows. */
  codeOf(name: string): string;
  /** Adds the account of a venue. */
  addAccount(venue: TenantIdentity): Promise<void>;
  /** What a reader asks for: cents, and our payment. @throws Error when it asks for nothing */
  asks(reader: string): { readonly cents: number; readonly payment: string };
  readonly isAsking: boolean;
  /** A card is held to the reader, and charged. */
  tap(reader: string): void;
  fail(reader: string, why: 'declined' | 'cancelled'): void;
  setOnline(reader: string, isOnline: boolean): void;
  /** The card is in the reader: it cannot stop now. */
  setReading(isReading: boolean): void;
  /** What becomes of requests that a reader shall ask: their answers are lost, or they do not arrive. */
  setQuestions(become: 'fine' | 'unanswered' | 'lost'): void;
  /** No request arrives. */
  setCut(isCut: boolean): void;
  /** Ids of the readers. */
  readonly readers: readonly string[];
  /** How many cards were charged. */
  readonly charged: number;
  /** Cents of the refunds. */
  readonly refunds: readonly number[];
  /** The provider says that a reader took what it asked for; undefined: it says nothing, and is asked. */
  tell?(payment: string, venue: TenantIdentity): Promise<unknown>;
}

export function stripeDouble(test: StripeApp): ReaderDouble {
  const { stripe } = test;
  const { intents } = stripe;
  const { terminal } = intents;
  return {
    provider: 'stripe',
    codeOf: (name) => `simulated-${name.toLowerCase()}`,
    addAccount: (venue) => test.takePayments(venue),
    asks: (reader) => {
      const { amount, metadata } = terminal.asks(reader);
      return { cents: amount, payment: metadata['guichet_payment'] ?? '' };
    },
    get isAsking() {
      return terminal.isAsking;
    },
    tap: (reader) => void terminal.tap(reader),
    fail: (reader, why) => terminal.fail(reader, why === 'declined' ? 'card_declined' : 'customer_canceled'),
    setOnline: (reader, isOnline) => {
      terminal.readers.get(reader)!.status = isOnline ? 'online' : 'offline';
    },
    setReading: (isReading) => {
      terminal.isReading = isReading;
    },
    setQuestions: (become) => {
      const path = '/process_payment_intent';
      Object.assign(intents, {
        losesAnswerOf: become === 'unanswered' ? path : undefined,
        missesAll: become === 'lost' ? path : undefined,
      });
    },
    setCut: (isCut) => {
      stripe.fault = isCut ? 'cut' : undefined;
    },
    get readers() {
      return [...terminal.readers.keys()];
    },
    get charged() {
      return terminal.charged.length;
    },
    get refunds() {
      return [...stripe.refunds.values()].map(({ amount }) => amount);
    },
    tell: (payment, venue) => {
      const paid = [...intents.all.values()].find(({ metadata }) => metadata['guichet_payment'] === payment);
      return test.deliver(stripe.event('payment_intent.succeeded', paid!), venue);
    },
  };
}

export function sumUpDouble(test: StripeApp, sumUp: SumUpServer): ReaderDouble {
  return {
    provider: 'sumup',
    codeOf: (name) => `SOLO${name.toUpperCase().padEnd(4, '0')}`,
    addAccount: async (venue) => {
      await test.inside(venue, () => test.app.get(PaymentAccountsService).save('sumup', sumUp.fields));
    },
    asks: (reader) => {
      const { total_amount: total, foreignId } = sumUp.asks(reader);
      return { cents: total.value, payment: foreignId };
    },
    get isAsking() {
      return [...sumUp.readers.values()].some(({ asks }) => asks !== undefined);
    },
    tap: (reader) => sumUp.tap(reader),
    fail: (reader, why) => sumUp.fail(reader, why),
    setOnline: (reader, isOnline) => {
      sumUp.readers.get(reader)!.isOnline = isOnline;
    },
    setReading: (isReading) => {
      sumUp.isReading = isReading;
    },
    setQuestions: (become) => {
      const path = '/checkout';
      Object.assign(sumUp, {
        losesAnswerOf: become === 'unanswered' ? path : undefined,
        missesAll: become === 'lost' ? path : undefined,
      });
    },
    setCut: (isCut) => {
      sumUp.isCut = isCut;
    },
    get readers() {
      return [...sumUp.readers.keys()];
    },
    get charged() {
      return sumUp.transactions.filter(({ status }) => status !== 'FAILED').length;
    },
    get refunds() {
      return sumUp.transactions.flatMap((one) => one.transaction_events.map(({ amount }) => Math.round(amount * 100)));
    },
  };
}
