import { MembershipsService } from '#memberships';
import { bulkMailJob, noteMail, recordMailOutcome, mailJob, type Mail, type MailStatus } from '#tickets';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  MailDelayedError,
  MailRefusedError,
  MailTransportService,
  type MailMessage,
  eventCancelledMessage,
  membershipMessage,
  refundedMessage,
  reservationCancelledMessage,
} from '#messages';
import { JobPostponed, JobsService, type JobAttempt, type JobWork } from '#jobs';
import { currentTenant, QuotasService, secondsToTomorrow, TenantDb } from '#tenancy';
import { MailPace } from '../mail-pace.js';
import { ownTextsIn } from '../../mails/mail-text-rules.js';
import { causeOf, heldByBuyer, refundsOf } from '../booking-facts.js';
import { EventNoticeMailsService } from './event-notice-mails.service.js';
import { FollowerMailsService } from './follower-mails.service.js';
import { ExampleMailsService } from '../example-mails.service.js';
import { GiftCardDocumentsService } from './gift-card-documents.service.js';
import { HolderNoticesService, isHolderNotice } from './holder-notices.service.js';
import { isOrderMail, OrderMailsService } from './order-mails.service.js';
import { BookingFactsService } from '../booking-facts.service.js';
import { isMembershipNotice, MembershipNoticesService } from './membership-notices.service.js';
import { WithdrawalMailsService } from './withdrawal-mails.service.js';
import { WaitingMailsService } from './waiting-mails.service.js';
import { readWaitingMail, type WaitingMail } from '../mailed-reservation.js';

/** Seconds after which a mail beyond the quota looks again, in case that an operator raised it. */
const quotaPauseSeconds = 900;
/** Seconds after which a mail looks whether the first one of its order took it along. */
const otherMailSeconds = 60;
/** What staff read beside a mail that waits for the next day. */
const dailyQuota = 'daily quota of the place';

/** Sends the waiting mails. Their text is rendered at that time from current data. */
@Injectable()
export class MailSenderService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly jobs: JobsService,
    private readonly transport: MailTransportService,
    private readonly memberships: MembershipsService,
    private readonly waiting: WaitingMailsService,
    private readonly notices: MembershipNoticesService,
    private readonly holderNotices: HolderNoticesService,
    private readonly withdrawals: WithdrawalMailsService,
    private readonly giftCards: GiftCardDocumentsService,
    private readonly orders: OrderMailsService,
    private readonly facts: BookingFactsService,
    private readonly eventNotices: EventNoticeMailsService,
    private readonly followers: FollowerMailsService,
    private readonly examples: ExampleMailsService,
    private readonly pace: MailPace,
    private readonly quotas: QuotasService,
  ) {}

  onModuleInit(): void {
    const send: JobWork = async (id, attempt) => {
      await this.pace.turn();
      await this.send(id, attempt);
    };
    this.jobs.handle(mailJob, send);
    this.jobs.handle(bulkMailJob, send, { isBulk: true });
  }

  /**
   * Sends one mail and records the outcome; for a mail with tickets also on the reservation (P, FA→V, PE, PN).
   * @throws MailDelayedError so that the queue retries it
   */
  async send(id: string, { isLast }: Pick<JobAttempt, 'isLast'>): Promise<void> {
    const waiting = await readWaitingMail(this.db, id);
    if (!waiting) return;
    const { mail, together } = waiting;
    // The first mail of an order takes the others along.
    if ((together[0]?.id ?? id) !== id) throw new JobPostponed(otherMailSeconds);
    if (!waiting.isConfirmed && mail.kind !== 'test') await this.demandQuota(mail);
    let told: readonly Mail[] = [mail];
    try {
      const message = await this.composeAll(waiting, (mails) => (told = mails));
      if (!message) return await this.note(mail, 'obsolete', null);
      // Each attempt uses the same Message-ID, so that mailboxes can remove duplicates.
      await this.transport.send({ ...message, messageId: `${id}@${currentTenant().host}` });
    } catch (error) {
      if (error instanceof MailRefusedError) {
        if (mail.followerId !== null) return this.followers.end(mail.followerId);
        return this.noteAll(told, 'refused', error.message);
      }
      const known = error instanceof MailDelayedError;
      if (known || isLast) await this.noteAll(told, isLast ? 'given_up' : 'waiting', known ? error.message : null);
      if (!known || !isLast) throw error;
      return;
    }
    await this.noteAll(told, this.transport.delivers ? 'sent' : 'kept', null);
  }

  /** @param tell is told all mails that the message contains @returns undefined when the mail is obsolete */
  private async composeAll(waiting: WaitingMail, tell: (mails: readonly Mail[]) => void): Promise<MailMessage | undefined> {
    if (!isOrderMail(waiting.mail)) return this.compose(waiting);
    const mails = [waiting];
    for (const { id } of waiting.together.slice(1)) {
      const other = await readWaitingMail(this.db, id);
      if (other) mails.push(other);
    }
    const composed = await this.orders.compose(mails);
    if (composed) tell(composed.mails);
    return composed?.message;
  }

  /** @throws JobPostponed when the tenant has sent its mails of today to addresses that never opened one */
  private async demandQuota(mail: Mail): Promise<void> {
    if (await this.quotas.take('mails')) return;
    await this.note(mail, 'waiting', dailyQuota);
    throw new JobPostponed(Math.min(secondsToTomorrow(), quotaPauseSeconds));
  }

  private async noteAll(mails: readonly Mail[], status: MailStatus, answer: string | null): Promise<void> {
    for (const mail of mails) await this.note(mail, status, answer);
  }

  /**
   * Stores the outcome; that of a mail with tickets also on the reservation. A mail that was withdrawn while it was being sent counts as
   * sent. A mail that is only kept as a file counts as not sent (PN).
   */
  private async note({ id, kind, reservationId, recipient }: Mail, status: MailStatus, answer: string | null): Promise<void> {
    const outcome = outcomes[status];
    const noted = { id, recipient, status, answer };
    if (kind === 'tickets' && reservationId !== null && outcome) await recordMailOutcome(this.db, reservationId, outcome, noted);
    else await noteMail(this.db, noted);
  }

  /** @returns undefined when the mail is obsolete */
  private async compose(waiting: WaitingMail): Promise<MailMessage | undefined> {
    const { mail, reservation, isConfirmed, texts } = waiting;
    if (mail.kind === 'test') return this.examples.test(mail);
    if (mail.followerId !== null) return this.followers.compose(mail, mail.followerId, texts);
    const isReplacement = mail.kind === 'tickets-replaced' || mail.kind === 'membership-replaced';
    if (mail.giftCardId !== null) return this.giftCards.compose(mail, mail.giftCardId);
    if (mail.kind === 'on-account') return this.orders.onAccount(mail);
    if (mail.kind === 'withdrawal') return this.withdrawals.compose(mail, reservation);
    if (mail.waitingEntryId !== null) return this.waiting.compose(mail, mail.waitingEntryId, texts);
    if (mail.membershipId !== null && isMembershipNotice(mail.kind))
      return this.notices.compose(mail, mail.membershipId, { isConfirmed, texts });
    if (mail.membershipId !== null) return this.card(mail.membershipId, mail.recipient, { isReplacement, isConfirmed, texts });
    if (!reservation) return undefined;
    if (isHolderNotice(mail.kind)) return this.holderNotices.compose(mail, reservation, { isConfirmed, texts });
    const about = await this.facts.ofMail(waiting);
    if (!about) return undefined;
    const { facts, given } = about;
    // Only the buyer paid.
    const refunds = given ? [] : refundsOf(reservation);
    const refund = refunds.find(({ way }) => way === 'online');
    switch (mail.kind) {
      case 'event-changed':
      case 'event-message':
      case 'event-reminder':
        return this.eventNotices.compose(mail, reservation, given ? [given] : heldByBuyer(reservation), facts);
      case 'event-cancelled':
        return eventCancelledMessage({ ...facts, words: mail.note ?? '', refunds });
      case 'refunded':
        return refund ? refundedMessage({ ...facts, refund, cause: causeOf(reservation) }) : undefined;
      default:
        return reservationCancelledMessage({ ...facts, words: mail.note ?? '', refunds });
    }
  }

  private async card(
    id: string,
    recipient: string,
    { isReplacement, isConfirmed, texts }: Pick<WaitingMail, 'isConfirmed' | 'texts'> & { readonly isReplacement: boolean },
  ): Promise<MailMessage | undefined> {
    const membership = await this.memberships.find(id);
    if (membership?.status !== 'active' || membership.email !== recipient) return undefined;
    const facts = await this.facts.cardOf(membership);
    const isBySeller = membership.byUserId !== null || membership.byKeyId !== null;
    return membershipMessage({ ...facts, isReplacement, isConfirmed, isBySeller, own: ownTextsIn(texts, facts.language) });
  }
}

/** The state that a reservation enters for each outcome of its mail with tickets. */
const outcomes: Partial<Record<MailStatus, 'V' | 'PE' | 'PN'>> = { sent: 'V', kept: 'PN', refused: 'PE', given_up: 'PN' };
