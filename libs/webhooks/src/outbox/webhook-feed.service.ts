import { Injectable } from '@nestjs/common';
import { utcSql } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { problem } from '../webhooks.problems.js';
import { Dispatcher } from './dispatcher.service.js';
import type { WebhookData } from '../webhook-events.js';

export interface FeedEvent {
  readonly id: string;
  /** bigint, so text. */
  readonly position: string;
  readonly type: string;
  /** UTC with microseconds. */
  readonly occurredAt: string;
  readonly data: WebhookData;
}

/** The current tenant's feed: everything that happened in the last `WEBHOOK_DAYS` days, in commit order. */
@Injectable()
export class WebhookFeed {
  constructor(
    private readonly db: TenantDb,
    private readonly dispatcher: Dispatcher,
  ) {}

  /**
   * The events behind a position, oldest first. What is committed but not handed on yet is handed on first, so that the feed does not
   * depend on a worker.
   *
   * @param after a position, or the id of an event; undefined: from the oldest that is kept
   * @param types what the reader may see; others are left out, and keep their positions
   * @throws Problem 404 `webhook_event.unknown`, 410 `webhook_event.pruned`
   */
  async after(after: string | undefined, limit: number, types: readonly string[]): Promise<FeedEvent[]> {
    // First, also when another reader is at it: what that one hands on after our look would be missing from a page that says it is the last.
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
    const [event] = await tx.query<{ position: string | null }[]>('select position from webhook_event where id = $1', [
      after,
    ]);
    if (!event?.position) throw problem('webhook_event.unknown');
    return event.position;
  }
  // A reader that was away for too long, or has read what a restored backup does not know, must learn that it misses something.
  const [feed] = await tx.query<{ pruned: string; last: string }[]>(
    'select pruned_position as pruned, last_position as last from webhook_feed',
  );
  if (after !== '0' && BigInt(after) < BigInt(feed?.pruned ?? 0)) throw problem('webhook_event.pruned');
  if (BigInt(after) > BigInt(feed?.last ?? 0)) throw problem('webhook_event.unknown');
  return after;
}
