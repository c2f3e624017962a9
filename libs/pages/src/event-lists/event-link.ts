import type { Settings } from '#kernel';
import { tenantUrl, type TenantIdentity } from '#tenancy';
import type { ListedEvent } from '../public-events/public-events.service.js';

/**
 * The event's `url` as the API returns it: the stored one, else the page of an external event, else the page on the sending tenant's
 * site.
 */
export function eventLink(
  event: Pick<ListedEvent, 'url' | 'sameAs' | 'slug' | 'sender'>,
  tenant: TenantIdentity,
  settings: Settings,
): string {
  return event.url ?? event.sameAs ?? (event.sender ? ownPage(event) : tenantUrl(settings, tenant, ownPage(event)));
}

/** The page of an event at its tenant: a path on this host, or an absolute URL on another place's host. */
export function ownPage({ slug, sender }: Pick<ListedEvent, 'slug' | 'sender'>): string {
  return `${sender?.home ?? ''}/event/${slug}`;
}

/** The host of an external event's page; undefined for an event of the place itself. */
export function elsewhere({ sameAs }: Pick<ListedEvent, 'sameAs'>): string | undefined {
  return sameAs === null ? undefined : hostOf(sameAs);
}

/** The host of a URL without `www.`. */
export function hostOf(address: string): string {
  return new URL(address).hostname.replace(/^www\./, '');
}
