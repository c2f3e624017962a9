import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/** Who gave a ticket to whom, and when. */
@Entity('ticket_transfer')
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

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
