import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** Refunds that staff ordered at their bank with one file. */
@Entity('refund_order')
export class RefundOrder {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  /** Begins the references of its refunds. */
  @Column('text')
  reference!: string;

  @Column('integer')
  refunds!: number;

  /** Decimal text. */
  @Column('numeric', { precision: 12, scale: 2 })
  amount!: string;

  @Column('uuid', { nullable: true })
  byUserId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
