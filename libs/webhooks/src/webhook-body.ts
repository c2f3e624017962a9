import { isoInZone } from '#kernel';
import { currentTenant } from '#tenancy';

/**
 * The body of a delivery: `{type, timestamp, data}` (Standard Webhooks). Put together from stored text, so that it has the same bytes at
 * every attempt.
 *
 * @param occurredAt UTC with microseconds, as `utcSql` writes it
 * @param data JSON as it is stored
 */
export function webhookBody({ type, occurredAt, data }: { type: string; occurredAt: string; data: string }): string {
  const timestamp = isoInZone(occurredAt, currentTenant().timeZone);
  return `{"type":${JSON.stringify(type)},"timestamp":"${timestamp}","data":${data}}`;
}
