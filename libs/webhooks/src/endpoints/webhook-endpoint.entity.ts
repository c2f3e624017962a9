import { Tenant } from '#tenancy';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** Who disabled an endpoint: the staff, the receiver by answering 410, or five days of nothing but failure. */
export type DisabledReason = 'staff' | 'gone' | 'failing';

/** An address of another program that wants to be told. */
@Entity('webhook_endpoint')
export class WebhookEndpoint {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  url!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  /** Event types, or `*` for all. */
  @Column('text', { array: true })
  types!: string[];

  /** Both sealed with the server secret. */
  @Column('bytea', { select: false })
  sealedSecret!: Buffer;

  @Column('bytea', { nullable: true, select: false })
  sealedPreviousSecret!: Buffer | null;

  /** Until then deliveries are signed with the previous secret as well. */
  @Column('timestamptz', { nullable: true })
  previousSecretExpiresAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  disabledAt!: Date | null;

  @Column('text', { nullable: true })
  disabledReason!: DisabledReason | null;

  /** The first of the failures since the last success; null: it works, or was never tried. */
  @Column('timestamptz', { nullable: true })
  failingSince!: Date | null;

  /** The receiver asked for silence until then (`Retry-After`). */
  @Column('timestamptz', { nullable: true })
  pausedUntil!: Date | null;

  /** Written at most once a minute. */
  @Column('timestamptz', { nullable: true })
  lastSuccessAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}

/** The endpoint's place in the queue of all tenants: what a worker must know to choose it. */
@Entity({ schema: 'shared', name: 'webhook_queue' })
export class WebhookQueueRow {
  @PrimaryColumn('uuid')
  endpointId!: string;

  @Column('uuid')
  @Index()
  @ForeignKey(() => Tenant, { onDelete: 'CASCADE' })
  tenantId!: string;

  /** When its next delivery is due; null: nothing waits. */
  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  /** Served apart from the others, so that a dead receiver slows nobody. */
  @Column('boolean', { default: false })
  failing!: boolean;

  @Column('timestamptz', { nullable: true })
  leasedUntil!: Date | null;

  @Column('uuid', { nullable: true })
  leasedBy!: string | null;

  /** Who was served longest ago comes first. */
  @Column('timestamptz', { default: () => 'now()' })
  servedAt!: Date;
}
