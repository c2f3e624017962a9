import { isoInZone } from '#kernel';
import { currentTenant } from '#tenancy';

/**
 * The body of a delivery: `{type, timestamp, data}` (Standard Webhooks). Built from stored text, so that every attempt sends the same
 * bytes.
 *
 * @param occurredAt UTC with microseconds, as `utcSql` writes it
 * @param data JSON as it is stored
 */
export function webhookBody({ type, occurredAt, data }: { type: string; occurredAt: string; data: string }): string {
  const timestamp = isoInZone(occurredAt, currentTenant().timeZone);
  return `{"type":${JSON.stringify(type)},"timestamp":"${timestamp}","data":${data}}`;
}
