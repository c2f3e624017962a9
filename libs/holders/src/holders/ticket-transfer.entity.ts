import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/** `withdrawn`: the giver took the offer back. An offer may be `pending` and stand no longer, see `offerStandsSql()`. */
export type TransferState = 'pending' | 'accepted' | 'withdrawn';

/** Who gave a ticket to whom, and when; before that person accepts it, an offer. */
@Entity('ticket_transfer')
@Index('ticket_transfer_pending_idx', ['ticketId'], { unique: true, where: "state = 'pending'" })
export class TicketTransfer {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  @ForeignKey('Ticket', { onDelete: 'CASCADE' })
  ticketId!: string;

  /** Address of the holder before; empty when the buyer gave none. */
  @Column('text')
  fromEmail!: string;

  @Column('text')
  toEmail!: string;

  /** Identifies that person for all spellings of the address (see `emailKey()`); null: before this was recorded. */
  @Column('text', { nullable: true })
  toKey!: string | null;

  /** Name on the ticket before; empty: that of the buyer. */
  @Column('text', { default: '' })
  fromName!: string;

  @Column('text', { default: '' })
  toName!: string;

  /** The name that the ticket gets; null: given at once, before there were offers. */
  @Column('text', { nullable: true })
  firstName!: string | null;

  @Column('text', { nullable: true })
  lastName!: string | null;

  /** Words of the giver for the new holder; null: none. */
  @Column('text', { nullable: true })
  message!: string | null;

  @Column('text', { default: 'accepted' })
  state!: TransferState;

  /** The version of the code of the ticket that is offered; null: given at once. Another version means that it was given on since. */
  @Column('smallint', { nullable: true })
  codeVersion!: number | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** When it was accepted or withdrawn; null: pending, or given at once. */
  @Column('timestamptz', { nullable: true })
  decidedAt!: Date | null;
}
