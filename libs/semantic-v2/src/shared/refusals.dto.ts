import { eventTextMembers, RefusedEvent } from '#catalogue';
import { refusalProblem } from '#http';
import { problem } from './semantic-v2.problems.js';

/** Members of the body of an event or address by the field names of the services. */
export const eventPointers: Readonly<Record<string, string>> = {
  startsAt: '/startDate',
  endsAt: '/endDate',
  doorsAt: '/doorTime',
  durationMinutes: '/duration',
  capacity: '/maximumAttendeeCapacity',
  ...Object.fromEntries(Object.entries(eventTextMembers).map(([member, column]) => [column, `/${member}`])),
  longDescription: '/description',
  maxPerUser: '/offers/eligibleQuantity/maxValue',
  merchantReturnDays: '/offers/returnPolicy/merchantReturnDays',
  superEventId: '/superEvent',
  postalAddressId: '/location/address/identifier',
  latitude: '/geo/latitude',
  longitude: '/geo/longitude',
};

/** Members of the body of an offer. */
export const offerPointers: Readonly<Record<string, string>> = {
  ...eventPointers,
  amount: '/price',
  stock: '/inventoryLevel/value',
  maxPerUser: '/eligibleQuantity/maxValue',
  requiredMembershipId: '/membershipRequiredProduct',
  salesFrom: '/availabilityStarts',
  salesUntil: '/availabilityEnds',
  published: '/published',
};

/** Members of the body of a product with its offers. */
export function productPointer(field: string): string | undefined {
  const [, index, member = ''] = /^prices\/(\d+)\/(\w+)$/.exec(field) ?? [];
  if (index === undefined) return eventPointers[field];
  return `/offers/${index}${offerPointers[member] ?? `/${member}`}`;
}

refusalProblem(RefusedEvent, ({ reason }, faults) =>
  problem(`event.${reason}`, reason === 'super_event_required' ? { errors: faults() } : {}),
);
