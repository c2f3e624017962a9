import { eventTextMembers, RefusedEvent } from '#catalogue';
import { refusalProblem } from '#http';
import { problem } from './semantic-v2.problems.js';

/** Where the body of an event or an address holds what a service calls otherwise. */
export const eventPointers: Readonly<Record<string, string>> = {
  startsAt: '/startDate',
  endsAt: '/endDate',
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

/** The same of one offer. */
export const offerPointers: Readonly<Record<string, string>> = {
  ...eventPointers,
  amount: '/price',
  stock: '/inventoryLevel/value',
  maxPerUser: '/eligibleQuantity/maxValue',
  requiredMembershipId: '/membershipRequiredProduct',
  published: '/published',
};

/** The same of a product with its offers. */
export function productPointer(field: string): string | undefined {
  const [, index, member = ''] = /^prices\/(\d+)\/(\w+)$/.exec(field) ?? [];
  if (index === undefined) return eventPointers[field];
  return `/offers/${index}${offerPointers[member] ?? `/${member}`}`;
}

refusalProblem(RefusedEvent, ({ reason }, faults) =>
  problem(`event.${reason}`, reason === 'super_event_required' ? { errors: faults() } : {}),
);
