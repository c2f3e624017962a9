import { Injectable } from '@nestjs/common';
import type { OrderPart } from '#orders';
import type { Tx } from '#tenancy';

/** A locked subject; the methods report what happened to its payment, in the same transaction. */
export interface LockedSubject {
  readonly isAwaitingPayment: boolean;
  /** It was sold in another way, for example paid at the venue. */
  readonly isConfirmed: boolean;
  /**
   * The payment arrived in time.
   * @throws SubjectUnavailable, or an error that `PaymentSubjectHandler.attempt` handles, when it is sold out
   */
  paid(): Promise<void>;
  /**
   * The payment arrived too late, twice, or incomplete, and is refunded.
   * @param refusal what `paid` or `keepForBank` threw before, for this or another subject of the same checkout
   */
  paymentRefunded(refusal?: SubjectUnavailable): Promise<void>;
  /** A bank processes the payment, which takes days: extends the hold. @throws like `paid` */
  keepForBank(): Promise<void>;
  /** The checkout expired, or the bank refused. */
  notPaid(reason: 'expired' | 'payment_failed'): Promise<void>;
}

/** The subject can no longer be sold; the payment must be refunded. */
export class SubjectUnavailable extends Error {
  override readonly name = 'SubjectUnavailable';
}

/** Implemented by the booking lib. */
export interface PaymentSubjectHandler {
  /**
   * Locks the subject and returns its amount. It is the first lock of the transaction, so it waits for running cancellations of tickets.
   * @returns decimal text, `0.00` for a free part of an order that costs something; undefined when no payment is due. Something of an order
   *   itself is due only while another part of the order is.
   */
  amountDue(tx: Tx, subject: OrderPart): Promise<string | undefined>;

  /**
   * Locks the subjects of one checkout in the documented order.
   * @returns in the order of `subjects`; undefined for one that does not exist
   */
  lock(tx: Tx, subjects: readonly OrderPart[]): Promise<(LockedSubject | undefined)[]>;

  /**
   * Runs a whole transaction that may take places or stock, and repeats it after expired holds were released.
   * @throws SubjectUnavailable
   */
  attempt<Result>(transaction: () => Promise<Result>): Promise<Result>;
}

/** Forwards changes of payments to the booking lib inside the same transaction. The payments lib does not import the booking lib. */
@Injectable()
export class PaymentSubjects implements PaymentSubjectHandler {
  private handler: PaymentSubjectHandler | undefined;

  /** Called once, before the application starts. */
  register(handler: PaymentSubjectHandler): void {
    this.handler = handler;
  }

  amountDue(tx: Tx, subject: OrderPart): Promise<string | undefined> {
    return this.registered().amountDue(tx, subject);
  }

  lock(tx: Tx, subjects: readonly OrderPart[]): Promise<(LockedSubject | undefined)[]> {
    return this.registered().lock(tx, subjects);
  }

  attempt<Result>(transaction: () => Promise<Result>): Promise<Result> {
    return this.registered().attempt(transaction);
  }

  private registered(): PaymentSubjectHandler {
    if (!this.handler) throw new Error('No handler for payment subjects is registered.');
    return this.handler;
  }
}
