import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { texts } from '../locales/tickets.texts.js';

export const mailKinds = {
  'confirm-email': texts.localized('mail.kinds.confirmEmail'),
  'confirm-venue': texts.localized('mail.kinds.confirmVenue'),
  'pay-at-venue': texts.localized('mail.kinds.payAtVenue'),
  tickets: texts.localized('mail.kinds.tickets'),
  'tickets-replaced': texts.localized('mail.kinds.ticketsReplaced'),
  'ticket-offered': texts.localized('mail.kinds.ticketOffered'),
  'ticket-transferred': texts.localized('mail.kinds.ticketTransferred'),
  'ticket-given': texts.localized('mail.kinds.ticketGiven'),
  'tickets-cancelled': texts.localized('mail.kinds.ticketsCancelled'),
  'tickets-cancelled-by-venue': texts.localized('mail.kinds.ticketsCancelledByVenue'),
  'reservation-cancelled': texts.localized('mail.kinds.reservationCancelled'),
  'event-cancelled': texts.localized('mail.kinds.eventCancelled'),
  'event-changed': texts.localized('mail.kinds.eventChanged'),
  'event-reminder': texts.localized('mail.kinds.eventReminder'),
  'event-message': texts.localized('mail.kinds.eventMessage'),
  refunded: texts.localized('mail.kinds.refunded'),
  withdrawal: texts.localized('mail.kinds.withdrawal'),
  membership: texts.localized('mail.kinds.membership'),
  'membership-replaced': texts.localized('mail.kinds.membershipReplaced'),
  'confirm-membership': texts.localized('mail.kinds.confirmMembership'),
  'membership-reminder': texts.localized('mail.kinds.membershipReminder'),
  'membership-renewal': texts.localized('mail.kinds.membershipRenewal'),
  'membership-renewal-failed': texts.localized('mail.kinds.membershipRenewalFailed'),
  'waiting-list': texts.localized('mail.kinds.waitingList'),
  'waiting-offer': texts.localized('mail.kinds.waitingOffer'),
  'follow-confirm': texts.localized('mail.kinds.followConfirm'),
  'new-dates': texts.localized('mail.kinds.newDates'),
  'sales-open': texts.localized('mail.kinds.salesOpen'),
  'gift-card': texts.localized('mail.kinds.giftCard'),
  'gift-card-bought': texts.localized('mail.kinds.giftCardBought'),
  'on-account': texts.localized('mail.kinds.onAccount'),
  test: texts.localized('mail.kinds.test'),
} as const;
export type MailKind = keyof typeof mailKinds;

/** Mails to many people at once: they are sent after those that somebody waits for. */
export const bulkMailKinds: ReadonlySet<MailKind> = new Set<MailKind>(['event-message', 'event-reminder', 'new-dates', 'sales-open']);

export const mailStates = {
  waiting: texts.localized('mail.states.waiting'),
  sent: texts.localized('mail.states.sent'),
  /** No mail server is configured: the mail was written to a file and not delivered. */
  kept: texts.localized('mail.states.kept'),
  refused: texts.localized('mail.states.refused'),
  given_up: texts.localized('mail.states.givenUp'),
  obsolete: texts.localized('mail.states.obsolete'),
} as const;
export type MailStatus = keyof typeof mailStates;

/** A mail to a holder. The row stores the kind and subject; the text is rendered when it is sent. */
@Entity('mail')
@Index('mail_follower_idx', ['followerId', 'mailingId'], { unique: true })
export class Mail {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  kind!: MailKind;

  @Column('uuid', { nullable: true })
  @Index()
  @ForeignKey('Reservation', { onDelete: 'CASCADE' })
  reservationId!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey('Membership', { onDelete: 'CASCADE' })
  membershipId!: string | null;

  /** Set when the mail is for a person to whom this ticket was given or offered, or reports a change of some tickets. */
  @Column('uuid', { nullable: true })
  @Index()
  @ForeignKey('Ticket', { onDelete: 'CASCADE' })
  ticketId!: string | null;

  @Column('uuid', { nullable: true })
  @Index()
  @ForeignKey('WaitingEntry', { onDelete: 'CASCADE' })
  waitingEntryId!: string | null;

  /** The notice to the guests of an event that the mail is a part of. */
  @Column('uuid', { nullable: true })
  @ForeignKey('EventNotice', { onDelete: 'CASCADE' })
  noticeId!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey('Follower', { onDelete: 'CASCADE' })
  followerId!: string | null;

  /** The mails of one day to all followers that it is a part of. */
  @Column('uuid', { nullable: true })
  @ForeignKey('FollowerMailing', { onDelete: 'CASCADE' })
  mailingId!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey('GiftCard', { onDelete: 'CASCADE' })
  giftCardId!: string | null;

  /** The tickets that the mail is about; null: those that its recipient holds. */
  @Column('uuid', { array: true, nullable: true })
  ticketIds!: string[] | null;

  @Column('text')
  recipient!: string;

  @Column('text', { default: 'waiting' })
  status!: MailStatus;

  @Column('integer', { default: 0 })
  attempts!: number;

  /** Response of the mail server when it did not accept the mail. */
  @Column('text', { nullable: true })
  answer!: string | null;

  /** Note of the venue, included in the text; for a test, the kind and language that it shows. */
  @Column('text', { nullable: true })
  note!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  @Index()
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  sentAt!: Date | null;
}
