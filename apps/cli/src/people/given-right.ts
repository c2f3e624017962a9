import { addDaysInZone, startOfDayInZone } from '#kernel';
import { VenueRolesService, type NewGrant, type TenantIdentity } from '#tenancy';
import { eventOf } from '../terminal/event.js';
import { UsageError } from '../terminal/failure.js';
import type { Session } from '../terminal/session.js';

/** A right as options name it. */
export interface RightOptions {
  readonly role?: string;
  readonly events?: string;
  readonly until?: string;
}

/** The right that options name, in a tenant. @throws UsageError on the date; Refusal on the events */
export async function givenRight(
  session: Session,
  venue: TenantIdentity,
  { role = 'direction', events, until }: RightOptions,
): Promise<NewGrant> {
  const { timeZone } = venue;
  const own = (await session.service(VenueRolesService).list()).find(({ name }) => name === role);
  const lastDay = until === undefined ? undefined : startOfDayInZone(until, timeZone);
  if (until !== undefined && !lastDay) throw new UsageError('--until is a date, such as 2027-12-31.');
  const slugs = events?.split(',') ?? [];
  const eventIds = await Promise.all(slugs.map((event) => eventOf(session, venue, event)));
  return {
    role: own?.id ?? role,
    ...(events !== undefined && { scope: { kind: 'events', eventIds } }),
    ...(lastDay && { endsAt: addDaysInZone(lastDay, timeZone, 1) }),
  };
}
