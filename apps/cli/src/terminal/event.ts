import { Event } from '#catalogue';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { Refusal } from './failure.js';
import type { Session } from './session.js';

/**
 * The id of the event that an option names. @param slugOrId in any case, also with spaces around it
 * @throws Refusal when the tenant has no such event
 */
export async function eventOf(session: Session, { slug }: TenantIdentity, slugOrId: string): Promise<string> {
  const event = await session
    .service(TenantDb)
    .transaction((tx) =>
      tx
        .createQueryBuilder(Event, 'event')
        .select(['event.id'])
        .where('event.id::text = :it or event.slug = :it', { it: slugOrId.trim().toLowerCase() })
        .getOne(),
    );
  if (!event) throw new Refusal(`The tenant ${slug} has no event "${slugOrId}": give its slug or UUID.`);
  return event.id;
}
