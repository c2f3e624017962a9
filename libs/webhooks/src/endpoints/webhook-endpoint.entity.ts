import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** Why an endpoint is disabled: by staff, because the receiver answered 410, or after five days of failures only. */
export type DisabledReason = 'staff' | 'gone' | 'failing';

/** A URL of another program that receives events. */
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

  /** This and the previous secret are encrypted with the server secret. */
  @Column('bytea', { select: false })
  sealedSecret!: Buffer;

  @Column('bytea', { nullable: true, select: false })
  sealedPreviousSecret!: Buffer | null;

  /** Until then deliveries are also signed with the previous secret. */
  @Column('timestamptz', { nullable: true })
  previousSecretExpiresAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  disabledAt!: Date | null;

  @Column('text', { nullable: true })
  disabledReason!: DisabledReason | null;

  /** Time of the first failure since the last success; null: the last attempt succeeded, or there was none. */
  @Column('timestamptz', { nullable: true })
  failingSince!: Date | null;

  /** The receiver asked for no requests until then (`Retry-After`). */
  @Column('timestamptz', { nullable: true })
  pausedUntil!: Date | null;

  /** Updated at most once a minute. */
  @Column('timestamptz', { nullable: true })
  lastSuccessAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}

/** The endpoint's row in the shared queue: the data by which a worker chooses the next endpoint. */
@Entity({ schema: 'shared', name: 'webhook_queue' })
export class WebhookQueueRow {
  @PrimaryColumn('uuid')
  endpointId!: string;

  @Column('uuid')
  @Index()
  tenantId!: string;

  /** When its next delivery is due; null: none is waiting. */
  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  /** Failing endpoints are served in separate slots, so that a dead receiver does not delay others. */
  @Column('boolean', { default: false })
  failing!: boolean;

  @Column('timestamptz', { nullable: true })
  leasedUntil!: Date | null;

  @Column('uuid', { nullable: true })
  leasedBy!: string | null;

  /** The endpoint that was served longest ago comes first. */
  @Column('timestamptz', { default: () => 'now()' })
  servedAt!: Date;
}
