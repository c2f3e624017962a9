import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { WebhookData } from '../webhook-events.js';

/** An event in the tenant's feed. Kept for `WEBHOOK_DAYS` days. */
@Entity('webhook_event')
export class WebhookEvent {
  /** The same in the feed and in every delivery attempt (`webhook-id`). */
  @PrimaryColumn('uuid')
  id!: string;

  /** Position in the feed, in commit order and without gaps; null: a test event, which is not in the feed. bigint, so a string. */
  @Column('bigint', { nullable: true, unique: true })
  position!: string | null;

  @Column('text')
  type!: string;

  @Column('text')
  @Index()
  subjectId!: string;

  @Column('integer')
  sequence!: number;

  @Column('timestamptz')
  @Index()
  occurredAt!: Date;

  @Column('json')
  data!: WebhookData;
}

/** The counter of the feed: one row, whose lock serialises the assignment of positions. */
@Entity('webhook_feed')
export class WebhookFeedCounter {
  @PrimaryColumn('smallint', { default: 1 })
  id!: number;

  @Column('bigint', { default: 0 })
  lastPosition!: string;

  /** Events up to this position are deleted. */
  @Column('bigint', { default: 0 })
  prunedPosition!: string;
}
