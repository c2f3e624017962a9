import type { Settings } from '#kernel';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import type { ListedEvent } from './public-events.service.js';

/** Where people find everything about an event: on a page of the place, or where an external event takes place. */
export function eventLink(
  { sameAs, slug }: Pick<ListedEvent, 'sameAs' | 'slug'>,
  tenant: TenantIdentity,
  settings: Settings,
): string {
  return sameAs ?? tenantUrl(settings, tenant, `/event/${slug}`);
}

/** Whose page an external event has, as people say it; undefined for an event of the place itself. */
export function elsewhere({ sameAs }: Pick<ListedEvent, 'sameAs'>): string | undefined {
  return sameAs === null ? undefined : new URL(sameAs).hostname.replace(/^www\./, '');
}
