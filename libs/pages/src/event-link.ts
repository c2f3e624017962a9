import type { Settings } from '#kernel';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import type { ListedEvent } from './public-events.service.js';

/** The event's `url` as the API answers it: the one that was sent, else where an external event takes place, else the tenant's page. */
export function eventLink(
  { url, sameAs, slug }: Pick<ListedEvent, 'url' | 'sameAs' | 'slug'>,
  tenant: TenantIdentity,
  settings: Settings,
): string {
  return url ?? sameAs ?? tenantUrl(settings, tenant, `/event/${slug}`);
}

/** Whose page an external event has, as people say it; undefined for an event of the place itself. */
export function elsewhere({ sameAs }: Pick<ListedEvent, 'sameAs'>): string | undefined {
  return sameAs === null ? undefined : hostOf(sameAs);
}

/** The host of an address without its `www.`, as people say it. */
export function hostOf(address: string): string {
  return new URL(address).hostname.replace(/^www\./, '');
}
