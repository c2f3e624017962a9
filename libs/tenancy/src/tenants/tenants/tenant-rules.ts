import { randomUUID } from 'node:crypto';
import { isLanguage, isVisible, languages, RefusedInput, refuseUnfitTexts, violatedConstraint, type Settings } from '#kernel';
import { typedHost } from '../../database/context/host-names.js';
import { lifeRefusals } from './life-refusals.js';
import { refuseReservedHost, refuseReservedSlug } from '../../database/context/reserved-names.js';
import { isCategory } from '../../database/context/tenant-categories.js';
import { currentNode, type TenantIdentity } from '../../database/context/tenant-context.js';
import type { IdentityChange, NewTenant } from './new-tenant.js';
import { texts } from '../../locales/tenancy.texts.js';

/** Maximum lengths of a tenant's texts. */
const tenantTexts = { slug: 63, name: 200, timeZone: 100, host: 254 };

/**
 * Checks the input and builds the identity of a new tenant.
 * @throws RefusedInput on slug, name, category, host, language or timeZone
 */
export function identityOf(input: NewTenant, settings: Pick<Settings, 'baseDomain' | 'metaSubdomain'>): TenantIdentity {
  refuseUnfitTexts(input, tenantTexts);
  const slug = input.slug.toLowerCase();
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(slug)) {
    throw new RefusedInput('slug', texts.localized('tenantRules.slugInvalid', { slug: input.slug }));
  }
  refuseReservedSlug(slug, settings);
  const { language = 'en', timeZone = 'Europe/Paris' } = checkedIdentity(input);
  if (!isCategory(input.category)) {
    throw new RefusedInput('category', texts.localized('tenantRules.categoryInvalid'));
  }
  const id = randomUUID();
  return {
    id,
    slug,
    name: input.name.trim(),
    category: input.category,
    schemaName: `t_${id.replaceAll('-', '')}`,
    node: currentNode(),
    schemaState: 'current',
    state: 'active',
    stateReason: null,
    contact: null,
    language,
    timeZone,
    host: hostOf(input, slug, settings),
  };
}

function hostOf({ host, category }: NewTenant, slug: string, settings: Pick<Settings, 'baseDomain' | 'metaSubdomain'>): string {
  const { baseDomain, metaSubdomain } = settings;
  if (host === undefined) return `${slug}.${baseDomain}`;
  // The hosts of the installation may be below an IP address.
  const name = [baseDomain, `${metaSubdomain}.${baseDomain}`].includes(host) ? host : typedHost(host);
  refuseReservedHost(name, category, settings);
  return name;
}

/**
 * Checks name, language and time zone and returns them as they are stored; absent members stay absent.
 * @throws RefusedInput on name, language or timeZone
 */
export function checkedIdentity({ name, language, timeZone }: IdentityChange): IdentityChange {
  refuseUnfitTexts({ name, timeZone }, { name: tenantTexts.name, timeZone: tenantTexts.timeZone });
  if (name !== undefined && !isVisible(name)) throw new RefusedInput('name', texts.localized('tenantRules.nameMissing'));
  if (language !== undefined && !isLanguage(language))
    throw new RefusedInput('language', texts.localized('tenantRules.languageInvalid', { languages: languages.join(', ') }));
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw new RefusedInput('timeZone', texts.localized('tenantRules.timeZoneInvalid', { timeZone }));
  }
  return { name: name?.trim(), language, timeZone };
}

/** Maps a constraint violation of a new tenant to a refusal; undefined for other errors. */
export function refusalOf(error: unknown, tenant: TenantIdentity): RefusedInput | undefined {
  switch (violatedConstraint(error)) {
    case 'tenant_slug_key':
      return new RefusedInput('slug', texts.localized('tenantRules.exists', { slug: tenant.slug }));
    case 'tenant_one_root':
      return lifeRefusals.onlyRoot();
    case 'tenant_administrator_user_id_fkey':
      return new RefusedInput('ownerId', texts.localized('tenantRules.unknownUser'));
    case 'domain_pkey':
    case 'domain_host_check':
      return new RefusedInput('host', texts.localized('tenantRules.hostInvalid', { host: tenant.host }));
    default:
      return undefined;
  }
}

/** Whether this is the name of an IANA time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
