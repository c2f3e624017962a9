import { RefusedInput, type Settings } from '#kernel';
import type { CategoryCode } from './tenant-categories.js';
import { texts } from '../../locales/tenancy.texts.js';

/**
 * Names that no new tenant may have as its slug or below BASE_DOMAIN: common names of other services, names that mail and certificate
 * authorities trust, and names that look like the server's operator. Existing tenants keep theirs.
 */
export const reservedNames: ReadonlySet<string> = new Set(
  `
  www www1 www2 web api app apps admin administrator root meta system server host mail email webmail smtp imap pop
  pop3 mx mx1 mx2 autoconfig autodiscover mta-sts dkim postmaster hostmaster webmaster abuse security noreply
  no-reply newsletter bounce bounces ns ns1 ns2 ns3 ns4 dns ftp sftp ssh vpn proxy gateway git ldap wpad isatap
  static assets cdn media images img files download downloads uploads live ready tls acme status health metrics
  monitor monitoring stats grafana logs backup db database postgres login signin sign-in signup sign-up auth oauth
  sso account accounts password secure ssl pay payment payments billing checkout bank stripe webhook webhooks scan
  tenant place door support help helpdesk docs documentation contact about legal privacy terms imprint panel
  dashboard console intranet internal local localhost staging guichet
  agenda blog info news shop test usenet ws
`
    .trim()
    .split(/\s+/),
);

/** Whether a subdomain belongs to the server itself, including the configured one of the first Meta. */
export function isReservedName(label: string, { metaSubdomain }: Pick<Settings, 'metaSubdomain'>): boolean {
  const name = label.trim().toLowerCase();
  return reservedNames.has(name) || name === metaSubdomain || name.startsWith('_') || name.startsWith('xn--');
}

type Names = Pick<Settings, 'baseDomain' | 'metaSubdomain'>;

/** @throws RefusedInput on slug */
export function refuseReservedSlug(slug: string, { metaSubdomain }: Names): void {
  // The installation's own slugs are taken; the error for taken slugs reports that.
  if (slug === metaSubdomain || slug === 'root') return;
  // Names with the prefix of international names would be displayed as other names.
  if (reservedNames.has(slug) || slug.startsWith('xn--')) throw reserved('slug', slug);
}

/**
 * Refuses hosts that belong to the server: BASE_DOMAIN for tenants other than Root, the Meta's subdomain for tenants other than agendas,
 * and everything below a reserved name of BASE_DOMAIN.
 * @param host in its ASCII form
 * @throws RefusedInput on host
 */
export function refuseReservedHost(host: string, category: CategoryCode, { baseDomain, metaSubdomain }: Names): void {
  if (host === baseDomain) {
    if (category !== 'R') throw reserved('host', host);
    return;
  }
  if (!host.endsWith(`.${baseDomain}`)) return;
  const name = host
    .slice(0, -baseDomain.length - 1)
    .split('.')
    .at(-1) as string;
  if (host === `${metaSubdomain}.${baseDomain}` && category === 'M') return;
  if (reservedNames.has(name) || name === metaSubdomain) throw reserved('host', host);
}

function reserved(field: 'slug' | 'host', name: string): RefusedInput {
  return new RefusedInput(field, texts.localized('reservedNames.reserved', { name }));
}
