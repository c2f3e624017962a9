import type { Settings } from '#kernel';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import type { ListedEvent } from './public-events.service.js';

/** The event's `url` as the API answers it: the one that was sent, else where an external event takes place, else the page of the tenant whose event it is. */
export function eventLink(
  event: Pick<ListedEvent, 'url' | 'sameAs' | 'slug' | 'sender'>,
  tenant: TenantIdentity,
  settings: Settings,
): string {
  return event.url ?? event.sameAs ?? (event.sender ? ownPage(event) : tenantUrl(settings, tenant, ownPage(event)));
}

/** The page that the tenant of an event has for it: a path of this host, or the full address of another place's. */
export function ownPage({ slug, sender }: Pick<ListedEvent, 'slug' | 'sender'>): string {
  return `${sender?.home ?? ''}/event/${slug}`;
}

/** Whose page an external event has, as people say it; undefined for an event of the place itself. */
export function elsewhere({ sameAs }: Pick<ListedEvent, 'sameAs'>): string | undefined {
  return sameAs === null ? undefined : hostOf(sameAs);
}

/** The host of an address without its `www.`, as people say it. */
export function hostOf(address: string): string {
  return new URL(address).hostname.replace(/^www\./, '');
}
