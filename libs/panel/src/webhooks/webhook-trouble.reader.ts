import type { Tx } from '#tenancy';
import { WebhookEndpoint } from '#webhooks';
import { recordHref } from '#panel-kit';

/** A webhook endpoint that receives nothing. */
export interface StartPageWebhook {
  url: string;
  /** `gone`: disabled because the receiver answered 410; `givenUp`: disabled after five days of failure; `failing`: still failing. */
  trouble: 'gone' | 'givenUp' | 'failing';
  /** ISO 8601. */
  since: string;
  href: string;
}

interface TroubleRow {
  id: string;
  url: string;
  disabledAt: Date | null;
  disabledReason: string | null;
  failingSince: Date;
}

/**
 * Endpoints that receive nothing although staff did not disable them: those disabled automatically, and those that have failed for more
 * than an hour, which is longer than a restart takes. A tenant has at most twenty endpoints, so no index is needed.
 */
export async function webhookTrouble(tx: Tx): Promise<StartPageWebhook[]> {
  const rows = await tx
    .createQueryBuilder()
    .select('endpoint.id', 'id')
    .addSelect('endpoint.url', 'url')
    .addSelect('endpoint.disabledAt', 'disabledAt')
    .addSelect('endpoint.disabledReason', 'disabledReason')
    .addSelect('endpoint.failingSince', 'failingSince')
    .from(WebhookEndpoint, 'endpoint')
    .where(
      `case when endpoint.disabled_at is null then endpoint.failing_since < now() - interval '1 hour'
       else endpoint.disabled_reason <> 'staff' end`,
    )
    .orderBy('endpoint.createdAt', 'ASC')
    .addOrderBy('endpoint.id', 'ASC')
    .getRawMany<TroubleRow>();
  return rows.map(({ id, url, disabledAt, disabledReason, failingSince }) => ({
    url,
    trouble: disabledAt === null ? 'failing' : disabledReason === 'gone' ? 'gone' : 'givenUp',
    since: (disabledAt ?? failingSince).toISOString(),
    href: recordHref('webhook-endpoints', id),
  }));
}
