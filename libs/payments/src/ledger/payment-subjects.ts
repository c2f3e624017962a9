import { Injectable } from '@nestjs/common';
import type { Tx } from '#tenancy';

/** What a payment is for. */
export type PaymentSubject = { readonly reservationId: string } | { readonly membershipId: string };

/** A reservation or a membership whose payment changes. It is locked until the end of the transaction. */
export interface LockedSubject {
  readonly isAwaitingPayment: boolean;
  /** Its payment came. @throws SubjectUnavailable, or what `PaymentSubjectHandler.attempt` repeats, when what is paid for is gone */
  paid(): Promise<void>;
  /** Its payment came too late, twice, or is not the whole sum: the money goes back. */
  paidInVain(): Promise<void>;
  /** A bank transfers the money within days: what is paid for is kept until then. @throws as `paid` */
  keepForBank(): Promise<void>;
  /** The checkout expired, or the bank refused. */
  notPaid(reason: 'expired' | 'payment_failed'): Promise<void>;
}

/** What is paid for is gone: the money goes back. */
export class SubjectUnavailable extends Error {
  override readonly name = 'SubjectUnavailable';
}

/** Implemented by the lib that sells. */
export interface PaymentSubjectHandler {
  /**
   * Locks the subject. Payments lock nothing before it: a ticket that is being cancelled is waited for.
   * @returns decimal text; undefined when nothing is to be paid any more
   */
  amountDue(tx: Tx, subject: PaymentSubject): Promise<string | undefined>;

  /** Locks the subject as every change of it does. @returns undefined when there is none */
  lock(tx: Tx, subject: PaymentSubject): Promise<LockedSubject | undefined>;

  /** Runs a whole transaction that may take what is scarce, and repeats it where needed. @throws SubjectUnavailable */
  attempt<Result>(transaction: () => Promise<Result>): Promise<Result>;
}

/** Tells the lib that sells what became of payments, inside the transaction that changes them. Payments import nothing of that lib. */
@Injectable()
export class PaymentSubjects implements PaymentSubjectHandler {
  private handler: PaymentSubjectHandler | undefined;

  /** Called once, before the application starts. */
  register(handler: PaymentSubjectHandler): void {
    this.handler = handler;
  }

  amountDue(tx: Tx, subject: PaymentSubject): Promise<string | undefined> {
    return this.registered().amountDue(tx, subject);
  }

  lock(tx: Tx, subject: PaymentSubject): Promise<LockedSubject | undefined> {
    return this.registered().lock(tx, subject);
  }

  attempt<Result>(transaction: () => Promise<Result>): Promise<Result> {
    return this.registered().attempt(transaction);
  }

  private registered(): PaymentSubjectHandler {
    if (!this.handler) throw new Error('No lib registered what payments are for.');
    return this.handler;
  }
}
