import { escapeHtml } from '#kernel';

/** A page for search engines. */
export interface SitemapEntry {
  /** Absolute URL. */
  readonly address: string;
  readonly changed?: Date | undefined;
}

/** A sitemap (sitemaps.org, protocol 0.9). */
export function sitemapXml(entries: readonly SitemapEntry[]): string {
  const urls = entries.map(({ address, changed }) => {
    const lastmod = changed ? `<lastmod>${changed.toISOString()}</lastmod>` : '';
    return `<url><loc>${escapeHtml(address)}</loc>${lastmod}</url>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
}
