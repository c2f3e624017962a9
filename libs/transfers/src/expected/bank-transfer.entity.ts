import { Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';

/** An order that is to be paid by bank transfer. Its reservations wait for it like those that are paid at the venue. */
@Entity('bank_transfer')
@Unique('bank_transfer_reference_key', ['reference'])
export class BankTransfer {
  // By name instead of import, because orders know nothing of the ways to pay.
  @PrimaryColumn('uuid')
  @ForeignKey('Order', { onDelete: 'CASCADE' })
  orderId!: string;

  /** What the buyer writes into the transfer. */
  @Column('text')
  reference!: string;

  /** The last day for the transfer. */
  @Column('date')
  dueOn!: string;

  /** Of an order on account: equal parts in which it is due, a month apart from `dueOn` on. */
  @Column('smallint', { default: 1 })
  instalments!: number;

  @Column('timestamptz', { nullable: true })
  remindedAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
