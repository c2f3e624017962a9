import { clockId } from '#tenancy';
import { Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryColumn, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { WebhookEvent } from '../outbox/webhook-event.entity.js';
import type { AttemptFailure } from './attempt-failures.js';

/** `waiting`: an attempt is pending. `delivered`: received. `failed`: no attempt is left, unless staff send it again. */
export type DeliveryStatus = 'waiting' | 'delivered' | 'failed';

/** The delivery of one event to one endpoint. */
@Entity('webhook_delivery')
@Index('webhook_delivery_event_idx', ['eventId', 'endpointId'], { unique: true })
@Index('webhook_delivery_waiting', ['endpointId', 'nextAttemptAt'], { where: `(status = 'waiting'::text)` })
export class WebhookDelivery {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid')
  endpointId!: string;

  @ManyToOne(() => WebhookEndpoint, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'endpoint_id' })
  endpoint!: Relation<WebhookEndpoint>;

  @Column('uuid')
  eventId!: string;

  @ManyToOne(() => WebhookEvent, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'event_id' })
  event!: Relation<WebhookEvent>;

  @Column('text', { default: 'waiting' })
  status!: DeliveryStatus;

  /** Number of all attempts. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /** Number of failed attempts that count for the retry schedule. */
  @Column('integer', { default: 0 })
  failures!: number;

  @Column('timestamptz', { nullable: true })
  nextAttemptAt!: Date | null;

  /** The next attempt was moved forward because the endpoint works again; if it fails, it does not count as a failure. */
  @Column('boolean', { default: false })
  aheadOfSchedule!: boolean;

  @Column('timestamptz', { nullable: true })
  lastAttemptAt!: Date | null;

  /** HTTP status of the last answer; null: there was no answer. */
  @Column('integer', { nullable: true })
  lastStatus!: number | null;

  @Column('text', { nullable: true })
  lastFailure!: AttemptFailure | null;

  @Column('timestamptz', { default: () => 'now()' })
  @Index()
  createdAt!: Date;
}

/** One request of a delivery and its result. */
@Entity('webhook_attempt')
export class WebhookAttempt {
  /** Microseconds of the clock: attempts are shown in this order. */
  @PrimaryColumn('bigint', { default: () => clockId })
  id!: string;

  @PrimaryColumn('uuid')
  @ForeignKey(() => WebhookDelivery, { onDelete: 'CASCADE' })
  deliveryId!: string;

  @Column('timestamptz')
  attemptedAt!: Date;

  @Column('integer')
  milliseconds!: number;

  @Column('integer', { nullable: true })
  status!: number | null;

  @Column('text', { nullable: true })
  failure!: AttemptFailure | null;

  /** The first 2 kB of the answer's body. */
  @Column('text', { nullable: true })
  answer!: string | null;
}
