import type { Venue } from '#page-kit';
import { mapInSlices, type Settings } from '#kernel';
import { categoryHas, tenantUrl, type TenantIdentity } from '#tenancy';
import type { ListedEvent } from '../public-events/public-events.service.js';
import { xmlText } from './xml-text.js';

/** A page for search engines. */
export interface SitemapEntry {
  /** Absolute URL. */
  readonly address: string;
  readonly changed?: Date | undefined;
}

/** A sitemap (sitemaps.org, protocol 0.9). */
export async function sitemapXml(entries: readonly SitemapEntry[]): Promise<string> {
  const urls = await mapInSlices(entries, ({ address, changed }) => {
    const lastmod = changed ? `<lastmod>${changed.toISOString()}</lastmod>` : '';
    return `<url><loc>${xmlText(address)}</loc>${lastmod}</url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
}

/** The sitemap of a tenant: its home page, what it sells, the house, and its events. External events have their page on another site. */
export function ownSitemap(
  { venue, events }: { readonly venue: Venue; readonly events: readonly ListedEvent[] },
  tenant: TenantIdentity,
  settings: Settings,
): Promise<string> {
  const own = events.filter(({ sameAs }) => sameAs === null);
  const latest = new Date(Math.max(0, ...events.map(({ updatedAt }) => updatedAt.getTime())));
  const shops = [
    ...(venue.hasMemberships && categoryHas(tenant.category, 'membership') ? ['/memberships'] : []),
    ...(venue.hasGoods && categoryHas(tenant.category, 'ticketing') ? ['/shop'] : []),
    ...(venue.hasHouse ? ['/house'] : []),
  ];
  return sitemapXml([
    { address: tenantUrl(settings, tenant, '/'), ...(events.length > 0 && { changed: latest }) },
    ...shops.map((path) => ({ address: tenantUrl(settings, tenant, path) })),
    ...own.map(({ slug, updatedAt }) => ({ address: tenantUrl(settings, tenant, `/event/${slug}`), changed: updatedAt })),
  ]);
}
