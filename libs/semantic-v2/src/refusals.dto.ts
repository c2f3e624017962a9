import { RefusedEvent } from '#catalogue';
import { kernelProblem, RefusedInput } from '#kernel';
import { problem } from './semantic-v2.problems.js';

/** Where a body holds what a service calls otherwise. */
const pointers: Readonly<Record<string, string>> = {
  startsAt: '/startDate',
  endsAt: '/endDate',
  capacity: '/maximumAttendeeCapacity',
  shortDescription: '/disambiguatingDescription',
  longDescription: '/description',
  maxPerUser: '/offers/eligibleQuantity/maxValue',
  merchantReturnDays: '/offers/returnPolicy/merchantReturnDays',
  superEventId: '/superEvent',
  postalAddressId: '/location/address/identifier',
  latitude: '/geo/latitude',
  longitude: '/geo/longitude',
};

/**
 * Does a service's work; what it refuses is told in the words of the body.
 * @param own pointers of this body alone
 */
export async function inWords<Result>(
  work: Promise<Result>,
  own: Readonly<Record<string, string>> = {},
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof RefusedInput)) throw error;
    const { field, message } = error;
    const fault = { pointer: own[field] ?? pointers[field] ?? `/${field}`, code: 'refused', detail: message };
    if (!(error instanceof RefusedEvent)) throw kernelProblem('body.invalid', { errors: [fault] });
    const { reason } = error;
    throw problem(`event.${reason}`, reason === 'super_event_required' ? { errors: [fault] } : {});
  }
}
