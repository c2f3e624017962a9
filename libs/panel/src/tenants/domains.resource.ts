import { Domain, unicodeHost, DomainsService, TenantDb, TenantsService } from '#tenancy';
import { formAction, currentPanelRequest, PanelFieldError, entityReader, textOf, PanelResource, declareProperties } from '#panel-kit';
import type { FormView, PanelEntry, PanelRow, PanelSource, ResourceProvider } from '#panel-kit';
import { domainWords, moveWords } from './domains.words.js';
import { refusable } from '../forms/refusals.js';

/** Adds the Unicode form of an international host name, where it is safe to show. */
const withUnicode = (row: PanelRow): PanelRow => ({ ...row, unicode: unicodeHost(String(row['host'])) ?? null });

/** The form that moves a domain to another tenant. */
async function moveForm(db: TenantDb, host: string): Promise<FormView> {
  const words = moveWords[currentPanelRequest().language];
  const [domain, others] = await db.shared(async (tx) => {
    const found = await tx.findOneBy(Domain, { host });
    const own = found ? await tx.find(Domain, { where: { tenantId: found.tenantId }, order: { host: 'ASC' } }) : [];
    return [found, own.filter((each) => each.host !== host)];
  });
  if (!domain) throw new PanelFieldError({}, 'error404Record');
  if (domain.isPrimary && others.length === 0) return { lead: [words.onlyOne], fields: [] };
  return {
    lead: [words.lead(host)],
    facts: words.facts,
    fields: [
      { name: 'slug', kind: 'text', label: words.slug, help: words.slugHelp, required: true, longest: 63 },
      ...(domain.isPrimary
        ? [
            {
              name: 'newPrimary',
              kind: 'select' as const,
              label: words.newPrimary,
              help: words.newPrimaryHelp,
              required: true,
              options: others.map((each) => ({ value: each.host, label: each.host })),
            },
          ]
        : []),
    ],
    submit: words.submit,
  };
}

/** The form identifies the tenant by its slug: errors on the tenant's id are shown at that field. */
function besideSlug(error: unknown): never {
  if (error instanceof PanelFieldError && error.fields['tenantId'])
    throw new PanelFieldError({ slug: error.fields['tenantId'] }, error.summary);
  throw error;
}

/** The tenants' host names. */
@PanelResource({ panels: 'root', position: 20 })
export class DomainsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly domains: DomainsService,
    private readonly tenants: TenantsService,
  ) {}

  entry(): PanelEntry {
    const { db, domains, tenants } = this;
    const declared = declareProperties(
      {
        host: { isTitle: true, help: 'hostHelp', list: true, show: true, form: true, filter: true },
        unicode: { sort: false, list: true, show: true, filter: false },
        tenantId: { reference: 'tenants', list: true, show: true, form: true, filter: true },
        isPrimary: { list: true, show: true, filter: true },
      },
      { entity: Domain, alias: 'domain' },
    );

    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.shared(work),
      sort: { by: 'host', direction: 'asc' },
    });
    const source: PanelSource = {
      id: 'domains',
      properties: declared.properties,
      ...reader,
      find: async (query) => (await reader.find(query)).map(withUnicode),
      findOne: async (host) => {
        const row = await reader.findOne(host);
        return row && withUnicode(row);
      },
      create: async ({ host, tenantId }) => {
        const domain = await refusable(() => domains.add(textOf(tenantId), textOf(host)));
        return { host: domain.host, tenantId: domain.tenantId, isPrimary: false };
      },
      remove: async (host) => {
        await refusable(() => domains.remove(host));
      },
    };
    const isPrimary = (value: unknown): boolean => value === true || value === 'true';
    return {
      source,
      group: 'server',
      icon: 'Globe',
      ...declared.places,
      sort: { by: 'host', direction: 'asc' },
      actions: {
        makePrimary: {
          icon: 'Star',
          guard: 'makePrimarySure',
          visible: (row) => !isPrimary(row['isPrimary']),
          act: async (host) => {
            await domains.makePrimary(host);
            return { message: 'madePrimary' };
          },
        },
        move: formAction({
          icon: 'Repeat',
          form: (host) => moveForm(db, host),
          act: async (host, { slug, newPrimary }) => {
            const tenant = await tenants.bySlug(textOf(slug).trim().toLowerCase());
            const words = moveWords[currentPanelRequest().language];
            if (!tenant) throw new PanelFieldError({ slug: { message: words.noTenant } });
            const primary = textOf(newPrimary);
            await refusable(() => domains.move(host, tenant.id, primary ? { newPrimary: primary } : {})).catch(besideSlug);
            return { message: 'moved' };
          },
        }),
      },
      words: domainWords,
    };
  }
}
