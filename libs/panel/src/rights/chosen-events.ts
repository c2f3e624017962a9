import { Event, eventIsOverSql } from '#catalogue';
import { SETTINGS, type Settings } from '#kernel';
import { TenantDb, type Grant } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';

/** Most events of one right. */
const mostEvents = 2000;

/** Finds the events of rights that are about kinds of events. */
@Injectable()
export class ChosenEvents {
  constructor(
    private readonly db: TenantDb,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The grant with the events that its kinds have now. */
  async resolved(grant: Grant): Promise<Grant> {
    const { scope } = grant;
    if (scope.kind !== 'kinds') return grant;
    const rows = await this.db.transaction((tx) =>
      tx
        .createQueryBuilder()
        .select('event.id', 'id')
        .from(Event, 'event')
        .where('event.category = any(:kinds)', { kinds: scope.kinds })
        .andWhere(`not ${eventIsOverSql('event', this.settings)}`)
        .orderBy('event.startsAt', 'ASC')
        .limit(mostEvents)
        .getRawMany<{ id: string }>(),
    );
    return { ...grant, scope: { kind: 'events', eventIds: rows.map(({ id }) => id) } };
  }
}
