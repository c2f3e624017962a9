import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Membership } from './membership.entity.js';

/**
 * A member's wish that a membership is renewed and charged by itself. The means of payment stays with the provider: the payment of the
 * membership leads to it. The membership that follows has a row of its own.
 */
@Entity('membership_renewal')
export class MembershipRenewal {
  @PrimaryColumn('uuid')
  @ForeignKey(() => Membership, { onDelete: 'CASCADE' })
  membershipId!: string;

  /** When the member asked for it. */
  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;

  /** When the member was told day and amount of the charge. */
  @Column('timestamptz', { nullable: true })
  announcedAt!: Date | null;

  /** The amount that was told, which is charged. */
  @Column('numeric', { precision: 10, scale: 2, nullable: true })
  amount!: string | null;

  /** Time of the next charge. */
  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  @Column('smallint', { default: 0 })
  attempts!: number;

  /** The payment of a charge whose outcome is not known yet. */
  @Column('uuid', { nullable: true })
  paymentId!: string | null;

  /** The membership of the last charge. */
  @Column('uuid', { nullable: true })
  nextId!: string | null;

  /** Why nothing is charged any more; null: it will be. */
  @Column('text', { nullable: true })
  ended!: 'renewed' | 'stopped' | 'failed' | null;

  @Column('timestamptz', { nullable: true })
  endedAt!: Date | null;

  /** The member of staff who stopped it. No foreign key, because users are in the shared schema. */
  @Column('uuid', { nullable: true })
  stoppedBy!: string | null;
}
