import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { LeftoversService, runInTenant, TenantDb, TenantsService, type TenantIdentity } from '#tenancy';
import { Place } from './place.entity.js';
import { shownFields, writePlace } from '../profile/place-row.js';
import { readProfile } from '../profile/place-profile.service.js';
import { Profile } from '../profile/profile.entity.js';

/** A tenant whose public record is missing, or differs from its configuration. */
export interface PlaceDrift {
  readonly slug: string;
  readonly state: 'missing' | 'outdated';
}

/** Compares the public records with the configurations. For operators: it reads the configuration of every tenant. */
@Injectable()
export class PlaceRecordsService {
  constructor(
    private readonly db: TenantDb,
    private readonly tenants: TenantsService,
    private readonly leftovers: LeftoversService,
  ) {}

  /** Skips tenants that wait for their migration, because the migration writes the record, and those whose database server is away. */
  async drifts(): Promise<PlaceDrift[]> {
    const found: PlaceDrift[] = [];
    for (const tenant of await this.comparable()) {
      const state = await runInTenant(tenant, () => this.compare(tenant));
      if (state) found.push({ slug: tenant.slug, state });
    }
    return found;
  }

  /** Writes missing or outdated records. @returns the slugs of their tenants */
  async repair(): Promise<string[]> {
    const repaired: string[] = [];
    for (const tenant of await this.comparable()) {
      const written = await runInTenant(tenant, async () => {
        if (!(await this.compare(tenant))) return false;
        await this.db.transaction(async (tx) => {
          await writePlace(tx, tenant.id, await readProfile(tx, { lock: true }));
        });
        return true;
      });
      if (written) repaired.push(tenant.slug);
    }
    return repaired;
  }

  private async comparable(): Promise<TenantIdentity[]> {
    const leftovers = await this.leftovers.find();
    const empty = new Set(leftovers.filter(({ kind }) => kind === 'tenant without tables').map(({ name }) => name));
    const tenants = (await this.tenants.list()).filter((tenant) => this.db.answers(tenant));
    return tenants.filter(({ schemaState, slug }) => schemaState === 'current' && !empty.has(slug));
  }

  private compare({ id }: TenantIdentity): Promise<PlaceDrift['state'] | undefined> {
    return this.db.transaction(async (tx) => {
      const place = await tx.findOneBy(Place, { tenantId: id });
      if (!place) return 'missing';
      const profile = await tx.findOneBy(Profile, { id: 1 });
      const valuesOf = (row: Place | Profile | null): unknown[] => shownFields.map((field) => row?.[field] || null);
      return isDeepStrictEqual(valuesOf(place), valuesOf(profile)) ? undefined : 'outdated';
    });
  }
}
