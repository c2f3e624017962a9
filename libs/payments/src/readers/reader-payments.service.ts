import { Injectable, type OnModuleInit } from '@nestjs/common';
import { databaseNow, retryOnDeadlock, sumOf, violatedConstraint } from '#kernel';
import { JobsService } from '#jobs';
import type { OrderPart } from '#orders';
import { TenantDb, type Tx } from '#tenancy';
import { PaymentAccountsService } from '../accounts/payment-accounts.service.js';
import type { Payment } from '../ledger/payment.entity.js';
import { PaymentsService, type BegunPayments } from '../ledger/payments.service.js';
import { limits } from '../limits.js';
import { CheckoutOutcomesService } from '../online/checkout-outcomes.service.js';
import { ProviderEventHandlerService } from '../online/provider-event-handler.service.js';
import { readerFaults, ReaderStillAsks, type ReaderFault } from '../providers/card-readers.js';
import { PaymentAccountMissing, PaymentProviderRefused, PaymentProviderUnavailable } from '../providers/payment-errors.js';
import { CardReader } from './card-reader.entity.js';
import { isAskingSql } from './card-readers.service.js';

/** Asks what became of a payment at a card reader; its subject is the first payment. */
const readerLookJob = 'reader-look';

/** Nobody is asked about older payments. */
const oldestMs = 24 * 3_600_000;

/** A card reader that asks for another sum. */
export class ReaderBusy extends Error {
  override readonly name = 'ReaderBusy';
}

/** A payment at a card reader, with everything that it pays. */
export interface ReaderPayment {
  /** The first payment of it. */
  readonly id: string;
  readonly readerId: string;
  readonly state: 'pending' | 'paid' | 'failed';
  /** Decimal text. */
  readonly amount: string;
  readonly fault: ReaderFault | null;
  readonly orderId: string | null;
  readonly subjects: readonly OrderPart[];
}

/**
 * Payments at card readers. A payment is pending from before the reader is asked until its provider says what became of it; then nothing
 * can be paid for it any more. So a lost answer is looked up, and nobody is charged twice. Do not call its methods inside a transaction.
 */
@Injectable()
export class ReaderPaymentsService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly payments: PaymentsService,
    private readonly accounts: PaymentAccountsService,
    private readonly outcomes: CheckoutOutcomesService,
    private readonly events: ProviderEventHandlerService,
    private readonly jobs: JobsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(readerLookJob, (id) => this.lookLater(id));
  }

  /** Whether a reader asks for nothing now. */
  async isFree(readerId: string): Promise<boolean> {
    const [row] = await this.db.transaction((tx) =>
      tx.query<{ isFree: boolean }[]>(`select not ${isAskingSql('card_reader.id')} as "isFree" from card_reader where id = $1`, [readerId]),
    );
    return row?.isFree ?? false;
  }

  /**
   * Lets a reader ask for what is due of these parts.
   * @param description stands with the payment at the provider
   * @returns the id of the payment; undefined when nothing is due, or it is being paid already
   * @throws ReaderBusy; PaymentAccountMissing when the reader or its account does not exist any more; SecretBoxError
   */
  async start(subjects: readonly OrderPart[], readerId: string, description: string): Promise<string | undefined> {
    const begun = await this.begin(subjects, readerId);
    if (!begun) return undefined;
    await this.send(begun, description);
    return begun.paymentId;
  }

  /** @returns undefined when there is none */
  async find(id: string): Promise<ReaderPayment | undefined> {
    const rows = await this.rows(id);
    const first = rows.find((row) => row.id === id);
    if (!first || first.readerId === null) return undefined;
    const state = first.status === 'paid' || first.status === 'failed' ? first.status : 'pending';
    const fault = first.readerFault as ReaderFault | null;
    const subjects = rows.map(({ reservationId, membershipId }): OrderPart =>
      reservationId === null ? { membershipId: membershipId as string } : { reservationId },
    );
    return { id, readerId: first.readerId, state, amount: sumOf(rows), fault, orderId: first.orderId, subjects };
  }

  /** Asks the provider what became of a payment, and applies it. One that does not answer changes nothing. */
  async look(id: string): Promise<void> {
    const first = await this.waiting(id);
    if (!first) return;
    try {
      await this.outcomes.apply(first);
    } catch (error) {
      if (!(error instanceof PaymentProviderUnavailable)) throw error;
    }
  }

  /**
   * Takes back what a reader is asked for. It may have been paid meanwhile.
   * @throws PaymentProviderUnavailable when the provider does not answer: the reader may still ask
   */
  async cancel(id: string): Promise<void> {
    const first = await this.waiting(id);
    if (!first) return;
    if (first.reference === null) await this.db.transaction((tx) => this.payments.notOpened(tx, id));
    const asked = await this.waiting(id);
    if (!asked?.reference) return;
    try {
      const { provider, account } = await this.accounts.of(asked);
      await provider.expire(asked.reference, account, asked);
    } catch (error) {
      // It was paid, or the card is being read, or it stops later.
      if (!(error instanceof PaymentProviderRefused) && !(error instanceof ReaderStillAsks)) throw error;
    }
    await this.outcomes.apply(asked);
  }

  private async begin(subjects: readonly OrderPart[], readerId: string): Promise<BegunPayments | undefined> {
    const work = async (tx: Tx): Promise<BegunPayments | undefined> => {
      const [reader] = await tx.query<Pick<CardReader, 'accountId' | 'provider'>[]>(
        'select account_id as "accountId", provider from card_reader where id = $1 for key share',
        [readerId],
      );
      const account = (await this.accounts.offeredIn(tx, 'readers')).find(({ id }) => id === reader?.accountId);
      if (!account) throw new PaymentAccountMissing();
      const { id, provider } = account;
      const begun = await this.payments.begin(tx, subjects, [{ id, provider: provider.name, minimum: '0.00' }], { readerId });
      if (begun) await this.jobs.add(tx, readerLookJob, begun.paymentId, { afterSeconds: limits.readerLook.ms / 1000 });
      return begun;
    };
    try {
      return await retryOnDeadlock(() => this.db.transaction(work));
    } catch (error) {
      throw violatedConstraint(error) === 'payment_reader_idx' ? new ReaderBusy('The card reader asks for another sum.') : error;
    }
  }

  /** Asks the reader. Without an answer the payment stays pending: the reader may ask. */
  private async send({ paymentId, provider: name, accountId, parts }: BegunPayments, description: string): Promise<void> {
    try {
      const { provider, account } = await this.accounts.of({ provider: name, accountId });
      const [first] = await this.rows(paymentId);
      const reader = await this.db.transaction((tx) => tx.findOneBy(CardReader, { id: first?.readerId ?? paymentId }));
      if (!provider.readers || !first || !reader) throw new PaymentAccountMissing();
      const request = { paymentId, reader: reader.reference, amount: sumOf(parts), currency: first.currency, description };
      const { reference } = await provider.readers.prepare(request, account);
      // Somebody who gave it up meanwhile has it closed, and the reader is not asked.
      if (!(await this.db.transaction((tx) => this.payments.opened(tx, paymentId, reference, null)))) return;
      const named = await provider.readers.send(reference, request, account);
      if (named !== undefined) await this.db.transaction((tx) => this.payments.named(tx, paymentId, named));
    } catch (error) {
      const isRefused = error instanceof PaymentProviderRefused;
      if (!isRefused && !(error instanceof PaymentProviderUnavailable)) throw error;
      const reference = (await this.waiting(paymentId))?.reference;
      // What was not even prepared is given up; a reader whose answer was lost may ask.
      if (reference === null) await this.db.transaction((tx) => this.payments.notOpened(tx, paymentId));
      else if (isRefused && reference !== undefined) await this.refuse(name, paymentId, reference, faultOf(error.code));
    }
  }

  /** A reader does not ask for what was prepared. */
  private refuse(provider: string, paymentId: string, reference: string, fault: ReaderFault): Promise<void> {
    const change = { type: 'refused', paymentId, reference, providerPayment: null, fault } as const;
    return this.events.apply(provider, { id: `${reference} refused`, change });
  }

  /** Looks at a payment whose page may be closed, and takes it back when nobody pays it. */
  private async lookLater(id: string): Promise<void> {
    const first = await this.waiting(id);
    if (!first) return;
    const age = databaseNow().getTime() - first.createdAt.getTime();
    if (age > limits.readerPayment.ms || first.reference === null) await this.cancel(id);
    else await this.look(id);
    // Nobody can tell the outcome any more when the account was deleted.
    if (age < oldestMs && (await this.waiting(id)))
      await this.db.transaction((tx) => this.jobs.add(tx, readerLookJob, id, { afterSeconds: limits.readerLook.ms / 1000 }));
  }

  /** The first payment while its outcome is not known. */
  private async waiting(id: string): Promise<Payment | undefined> {
    const first = (await this.rows(id)).find((row) => row.id === id);
    return first?.status === 'pending' && first.method === 'reader' ? first : undefined;
  }

  /** The first payment comes first. */
  private async rows(id: string): Promise<Payment[]> {
    const rows = await this.db.transaction((tx) => this.payments.ofCheckout(tx, id));
    return rows.toSorted((one, other) => Number(other.id === id) - Number(one.id === id));
  }
}

const faultOf = (code: string | undefined): ReaderFault =>
  code !== undefined && Object.hasOwn(readerFaults, code) ? (code as ReaderFault) : 'failed';
