import { Injectable } from '@nestjs/common';
import { utcSql } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { problem } from '../webhooks.problems.js';
import { DispatcherService } from './dispatcher.service.js';
import type { WebhookData } from '../webhook-events.js';
import { WebhookFeedCounter, WebhookEvent } from './webhook-event.entity.js';

export interface FeedEvent {
  readonly id: string;
  /** bigint, so a string. */
  readonly position: string;
  readonly type: string;
  /** UTC with microseconds. */
  readonly occurredAt: string;
  readonly data: WebhookData;
}

/** The current tenant's feed: the events of the last `WEBHOOK_DAYS` days in commit order. */
@Injectable()
export class WebhookFeedService {
  constructor(
    private readonly db: TenantDb,
    private readonly dispatcher: DispatcherService,
  ) {}

  /**
   * The events after a position, oldest first. Dispatches committed messages first, so that the feed does not depend on a worker.
   *
   * @param after a position, or the id of an event; undefined: from the oldest event that is kept
   * @param types types that the reader may see; others are left out and keep their positions
   * @throws Problem 404 `webhook_event.unknown`, 410 `webhook_event.pruned`
   */
  async after(after: string | undefined, limit: number, types: readonly string[]): Promise<FeedEvent[]> {
    // Waits for a concurrent dispatch: messages that it has not committed yet would be missing from a page that says it is the last.
    await this.dispatcher.dispatch({ limit: 500, wait: true });
    return this.read(after, limit, types);
  }

  private read(after: string | undefined, limit: number, types: readonly string[]): Promise<FeedEvent[]> {
    return this.db.transaction(async (tx) => {
      const position = await positionOf(tx, after);
      return tx.query<FeedEvent[]>(
        `select id, position, type, ${utcSql('occurred_at')} as "occurredAt", data from webhook_event
         where position > $1 and type = any($3) order by position limit $2`,
        [position, limit, types],
      );
    });
  }
}

async function positionOf(tx: Tx, after: string | undefined): Promise<string> {
  if (after === undefined) return '0';
  if (!/^\d+$/.test(after)) {
    const event = await tx.findOne(WebhookEvent, { select: { id: true, position: true }, where: { id: after } });
    if (!event?.position) throw problem('webhook_event.unknown');
    return event.position;
  }
  // A reader behind the pruned position, or ahead of a restored backup, gets an error because it has missed events.
  const feed = await tx.findOneBy(WebhookFeedCounter, { id: 1 });
  if (after !== '0' && BigInt(after) < BigInt(feed?.prunedPosition ?? 0)) throw problem('webhook_event.pruned');
  if (BigInt(after) > BigInt(feed?.lastPosition ?? 0)) throw problem('webhook_event.unknown');
  return after;
}
