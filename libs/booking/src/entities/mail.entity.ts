import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

export const mailKinds = {
  'confirm-email': { en: 'Confirm the address', fr: "Confirmer l'adresse" },
  tickets: { en: 'Tickets', fr: 'Billets' },
  'tickets-replaced': { en: 'New tickets', fr: 'Nouveaux billets' },
  'reservation-cancelled': { en: 'Reservation cancelled', fr: 'Réservation annulée' },
  'event-cancelled': { en: 'Event cancelled', fr: 'Événement annulé' },
  refunded: { en: 'Refund', fr: 'Remboursement' },
  membership: { en: 'Membership', fr: 'Adhésion' },
  'membership-replaced': { en: 'New membership card', fr: "Nouvelle carte d'adhésion" },
} as const;
export type MailKind = keyof typeof mailKinds;

export const mailStates = {
  waiting: { en: 'Waiting', fr: 'En attente' },
  sent: { en: 'Sent', fr: 'Envoyé' },
  /** No mail server is configured: the mail was written to a file and not delivered. */
  kept: { en: 'Not sent: kept on the server', fr: 'Non envoyé : gardé sur le serveur' },
  refused: { en: 'Refused', fr: 'Refusé' },
  given_up: { en: 'Given up', fr: 'Abandonné' },
  obsolete: { en: 'Not needed any more', fr: "N'est plus utile" },
} as const;
export type MailStatus = keyof typeof mailStates;

/** A mail to a holder. The row stores the kind and subject; the text is rendered when it is sent. */
@Entity('mail')
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
  @Index()
  @ForeignKey('Membership', { onDelete: 'CASCADE' })
  membershipId!: string | null;

  @Column('text')
  recipient!: string;

  @Column('text', { default: 'waiting' })
  status!: MailStatus;

  @Column('integer', { default: 0 })
  attempts!: number;

  /** Response of the mail server when it did not accept the mail. */
  @Column('text', { nullable: true })
  answer!: string | null;

  /** Note of the venue, included in the text. */
  @Column('text', { nullable: true })
  note!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  @Index()
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  sentAt!: Date | null;
}
