import type { CounterSale } from '#selling';
import { isUuid, SecretBoxError, type Language } from '#kernel';
import {
  PaymentAccountMissing,
  PaymentProviderUnavailable,
  ReaderBusy,
  readerFaults,
  SubjectUnavailable,
  type ReaderPayment,
} from '#payments';
import { currentPanelRequest, PanelFieldError, type PanelOutcome, type PanelRow, type ViewOf } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';
import type { BoxOfficeServices } from './box-office.services.js';
import { refusableSale } from './sale-form.js';
import { soldView } from './sold-view.js';

const words = texts.perLanguage('boxOffice.reader', ({ words: own }) => own);
const wordsNow = (): (typeof words)[Language] => words[currentPanelRequest().language];

/** Holds a sale, and has a card reader ask for its sum. @throws PanelFieldError */
export async function sellAtReader(services: BoxOfficeServices, sale: CounterSale, readerId: string): Promise<PanelOutcome> {
  const { sold, paymentId } = await refusableSale(() => atReader(() => services.readerSales.sell(sale, readerId), 'paymentMethod'));
  return { view: paymentId === undefined ? await soldView(services, sold, 'reader') : await readerView(services, paymentId) };
}

/** What staff do while a reader asks, and after it took nothing. */
const steps: Readonly<
  Record<string, (services: BoxOfficeServices, payment: ReaderPayment, values: PanelRow) => Promise<PanelOutcome['view']>>
> = {
  look: async (services, { id }) => {
    await services.readerPayments.look(id);
    return readerView(services, id);
  },
  cancel: async (services, { id }) => {
    await services.readerPayments.cancel(id);
    return readerView(services, id);
  },
  again: async (services, payment, { readerId }) => {
    const next = await services.readerSales.again(payment, isUuid(readerId) ? readerId : payment.readerId);
    return readerView(services, next ?? payment.id);
  },
  cash: (services, payment) => payOtherwise(services, payment, 'cash'),
  card: (services, payment) => payOtherwise(services, payment, 'card'),
  giveUp: async (services, payment) => {
    await services.readerSales.giveUp(payment);
    return { givenUp: true };
  },
};

/** Takes a step of a sale at a reader. @throws PanelFieldError */
export async function readerStep(services: BoxOfficeServices, values: PanelRow): Promise<PanelOutcome> {
  const { payment: id, step } = values;
  const payment = isUuid(id) ? await services.readerPayments.find(id) : undefined;
  const work = typeof step === 'string' && Object.hasOwn(steps, step) ? steps[step] : undefined;
  if (!payment || !work) throw new PanelFieldError({}, 'failed');
  // While a reader asks, the sale is paid there or taken back.
  const isAllowed = step === 'look' || payment.state === (step === 'cancel' ? 'pending' : 'failed');
  const view = isAllowed ? await atReader(() => work(services, payment, values)) : await readerView(services, payment.id);
  return { ...(view && { view }) };
}

async function payOtherwise(services: BoxOfficeServices, payment: ReaderPayment, method: 'cash' | 'card'): Promise<PanelOutcome['view']> {
  await services.readerSales.payOtherwise(payment, method);
  const sold = await services.readerSales.soldWith(payment);
  return isOver(sold) ? readerView(services, payment.id) : soldView(services, sold, method);
}

/** The state of a sale at a reader, or what was sold once it is paid. */
async function readerView(services: BoxOfficeServices, id: string) {
  const payment = (await services.readerPayments.find(id)) as ReaderPayment;
  const sold = payment.state === 'pending' ? undefined : await services.readerSales.soldWith(payment);
  if (sold && payment.state === 'paid' && !isOver(sold)) return soldView(services, sold, 'reader');
  return waitingView(payment, sold !== undefined && isOver(sold), await services.cardReaders.usable());
}

function waitingView(
  { id, readerId, state, amount, fault }: ReaderPayment,
  isEnded: boolean,
  readers: readonly { readonly id: string; readonly name: string }[],
) {
  const { language } = currentPanelRequest();
  const reason = fault && readerFaults[fault][language];
  return {
    reader: {
      payment: id,
      readerId,
      name: readers.find((reader) => reader.id === readerId)?.name ?? '',
      amount,
      state: isEnded ? ('ended' as const) : state === 'pending' ? ('asking' as const) : ('failed' as const),
      fault: isEnded ? (state === 'paid' ? wordsNow().paidBack : wordsNow().ended) : reason,
      readers: readers.map((reader) => ({ id: reader.id, name: reader.name })),
    },
  };
}

/** The view of a sale at a reader. */
export type ReaderView = ViewOf<typeof waitingView>['reader'];

/** Whether a part of a sale was cancelled: its hold has ended. */
const isOver = ({ reservations, memberships }: Awaited<ReturnType<BoxOfficeServices['readerSales']['soldWith']>>): boolean =>
  reservations.some(({ status }) => status === 'C') || memberships.some(({ status }) => status === 'cancelled');

/** Runs work at a reader; what is not possible is said. @param field where */
async function atReader<Result>(work: () => Promise<Result>, field?: string): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    throw field === undefined ? new PanelFieldError({}, reason) : new PanelFieldError({ [field]: { message: reason } });
  }
}

function reasonOf(error: unknown): string | undefined {
  const { busy, missing, noAnswer, soldOut } = wordsNow();
  if (error instanceof ReaderBusy) return busy;
  if (error instanceof PaymentAccountMissing || error instanceof SecretBoxError) return missing;
  if (error instanceof PaymentProviderUnavailable) return noAnswer;
  return error instanceof SubjectUnavailable ? soldOut : undefined;
}
