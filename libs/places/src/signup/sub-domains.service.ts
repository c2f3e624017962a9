import { RefusedInput, SETTINGS, type Settings } from '#kernel';
import { isReservedName, TenantDb, type Tx } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { findSame, type PlaceIdentity } from '../creation/place-identity.js';
import { longestLabel, nameKeyOf, slugOf } from '../place-names.js';
import { formCategories, type PlaceForm } from './place-form.js';
import { texts } from '../locales/places.texts.js';

const free = {
  name: 'sub-domains-free',
  text: `select c.slug from unnest($1::text[]) with ordinality as c (slug, rank)
    where not exists (select 1 from shared.tenant t where t.slug = c.slug)
      and not exists (select 1 from shared.domain d where d.host = c.slug || '.' || $2) order by c.rank limit 3`,
};

/** Names below BASE_DOMAIN for places that are being created. */
@Injectable()
export class SubDomainsService {
  constructor(
    private readonly db: TenantDb,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The suffix of every sub-domain: `.example.org`. */
  get suffix(): string {
    return `.${this.settings.baseDomain.toLowerCase()}`;
  }

  /** The identity of the place that a form would create. Texts are cleaned; without a sub-domain it is derived from the name. */
  identityOf({ name, slug, category }: Pick<PlaceForm, 'name' | 'slug' | 'category'>): PlaceIdentity {
    const typed = slug.slice(0, 300).trim().toLowerCase();
    const label = (typed.endsWith(this.suffix) ? typed.slice(0, -this.suffix.length) : typed) || slugOf(name, this.settings);
    const code = formCategories.find((one) => one === category) ?? 'S';
    return { slug: label, nameKey: nameKeyOf(name), host: `${label}${this.suffix}`, category: code };
  }

  /**
   * The current obstacle to a sub-domain and a name: an invalid or reserved sub-domain, or a place that already has one of them.
   * @param city used for suggestions
   */
  async faults(identity: PlaceIdentity, city: string): Promise<RefusedInput[]> {
    const found = await this.db.shared((tx) => this.faultsIn(tx, identity));
    const faults: RefusedInput[] = [];
    for (const fault of found) faults.push(fault === 'slug-taken' ? await this.taken(identity, city) : fault);
    return faults;
  }

  /** The same in a transaction, without suggestions. */
  async faultsIn(tx: Tx, identity: PlaceIdentity): Promise<(RefusedInput | 'slug-taken')[]> {
    const unfit = this.unfit(identity.slug);
    const same = await findSame(tx, identity);
    return [
      ...(same.some(({ by }) => by === 'name') ? [new RefusedInput('name', sentences.name)] : []),
      ...(unfit ? [unfit] : same.some(({ by }) => by === 'slug') ? (['slug-taken'] as const) : []),
    ];
  }

  /** Free sub-domains that are similar. @returns at most three */
  async suggestions({ slug }: Pick<PlaceIdentity, 'slug'>, city: string): Promise<string[]> {
    const town = nameKeyOf(city.slice(0, 200))
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '');
    const base =
      slug
        .replace(/[^a-z0-9-]+/g, '-')
        .replace(/^-+|-+$/g, '')
        .slice(0, 50)
        .replace(/-+$/, '') || 'place';
    const likes = [
      base,
      ...(town && !base.includes(town) ? [`${base}-${town}`] : []),
      ...[2, 3, 4, 5, 6].map((number) => `${base}-${number}`),
    ];
    const fit = likes.filter((like) => this.unfit(like) === undefined);
    const rows = await this.db.sharedStatement<{ slug: string }>(free, [fit, this.settings.baseDomain]);
    return rows.map((row) => row.slug);
  }

  private async taken(identity: PlaceIdentity, city: string): Promise<RefusedInput> {
    const open = await this.suggestions(identity, city);
    const list = open.join(', ');
    return new RefusedInput('slug', texts.localized('subDomains.taken', { host: identity.host, list }));
  }

  private unfit(slug: string): RefusedInput | undefined {
    if (slug.length > longestLabel || !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(slug)) return new RefusedInput('slug', sentences.slug);
    if (isReservedName(slug, this.settings) || slug === 'root') return new RefusedInput('slug', sentences.reserved);
    return undefined;
  }
}

const sentences = {
  name: texts.localized('subDomains.name'),
  slug: texts.localized('subDomains.slug'),
  reserved: texts.localized('subDomains.reserved'),
} as const;
