import { Injectable } from '@nestjs/common';
import { partsOf, type Page } from '#http';
import { liveTenantSql, Tenant, TenantDb, type CategoryCode, type Tx } from '#tenancy';
import { In, type SelectQueryBuilder } from 'typeorm';
import { Place } from './place.entity.js';

/** Which places: all venues, festivals, projects and producers, or one category. */
export interface PlaceQuery {
  readonly category?: CategoryCode | undefined;
  readonly page?: Page | undefined;
}

/** The public records of all tenants of the server. Reads only the shared schema. */
@Injectable()
export class PlacesService {
  constructor(private readonly db: TenantDb) {}

  /**
   * Newest first, without Root, Metas and tenants that are not active.
   * @param take receives the places in batches, in order
   * @returns the total number
   */
  list({ category, page }: PlaceQuery, take: (places: readonly Place[]) => void): Promise<number> {
    return this.db.shared(async (tx) => {
      const listed = live(tx).andWhere(`p.category not in ('M', 'R')`).select('p.tenantId', 'id');
      if (category) listed.andWhere('p.category = :category', { category });
      listed.orderBy('p.createdAt', 'DESC').addOrderBy('p.tenantId', 'DESC');
      const total = page ? await listed.getCount() : undefined;
      if (page) listed.offset(page.skip).limit(page.take);
      const ids = (await listed.getRawMany<{ id: string }>()).map(({ id }) => id);
      for (const some of partsOf(ids)) {
        const places = await tx.findBy(Place, { tenantId: In(some) });
        const byId = new Map(places.map((place) => [place.tenantId, place]));
        take(some.flatMap((id) => byId.get(id) ?? []));
      }
      return total ?? ids.length;
    });
  }

  /** One active place, including Metas but not Root. */
  find(tenantId: string): Promise<Place | null> {
    return this.db.shared((tx) => live(tx).andWhere(`p.category <> 'R'`).andWhere('p.tenantId = :tenantId', { tenantId }).getOne());
  }

  /** One place in any state. */
  record(tenantId: string): Promise<Place> {
    return this.db.shared((tx) => tx.findOneByOrFail(Place, { tenantId }));
  }
}

function live(tx: Tx): SelectQueryBuilder<Place> {
  return tx.createQueryBuilder(Place, 'p').innerJoin(Tenant, 't', 't.id = p.tenantId').where(liveTenantSql('t'));
}
