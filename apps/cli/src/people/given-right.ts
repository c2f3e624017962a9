import { addDaysInZone, startOfDayInZone } from '#kernel';
import { isPreset, presetNames, VenueRolesService, type NewGrant, type TenantIdentity } from '#tenancy';
import { eventOf } from '../terminal/event.js';
import { Refusal, UsageError } from '../terminal/failure.js';
import type { Session } from '../terminal/session.js';

/** A right as options name it. */
export interface RightOptions {
  readonly role?: string;
  readonly events?: string;
  readonly until?: string;
}

/** How `--role` is described. */
export const roleHelp = `${presetNames.join(', ')}, or the name of one of the tenant (default: direction)`;

/** The right that options name, in a tenant. @throws UsageError on the date; Refusal on the role or the events */
export async function givenRight(
  session: Session,
  venue: TenantIdentity,
  { role = 'direction', events, until }: RightOptions,
): Promise<NewGrant> {
  const { timeZone } = venue;
  const roles = await session.service(VenueRolesService).list();
  const own = roles.find(({ name }) => name === role);
  if (!own && !isPreset(role)) {
    throw new Refusal(
      `There is no role "${role}" at ${venue.slug}. The known ones: ${[...presetNames, ...roles.map(({ name }) => name)].join(', ')}`,
    );
  }
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
