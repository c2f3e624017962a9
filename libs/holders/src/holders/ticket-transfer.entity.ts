import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Who gave a ticket to whom, and when. */
@Entity('ticket_transfer')
@Index('ticket_transfer_to_idx', ['toKey', 'createdAt'])
export class TicketTransfer {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  @Index()
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

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
