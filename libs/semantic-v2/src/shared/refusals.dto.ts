import { productProblem, RefusedEvent, RefusedProduct } from '#catalogue';
import { kernelProblem, RefusedInput, RefusedInputs, UnknownIds } from '#kernel';
import { problem } from '../shared/semantic-v2.problems.js';

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

/** The same within an offer. */
const offerPointers: Readonly<Record<string, string>> = {
  amount: '/price',
  stock: '/inventoryLevel/value',
  maxPerUser: '/eligibleQuantity/maxValue',
  requiredMembershipId: '/membershipRequiredProduct',
  published: '/published',
};

/**
 * Does a service's work; what it refuses is told in the words of the body.
 * @param own pointers of this body alone, by field, or by the id that is unknown
 */
export async function mapRefusals<Result>(
  work: Promise<Result>,
  own: Readonly<Record<string, string>> = {},
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof RefusedInput)) throw error;
    if (error instanceof RefusedProduct) throw productProblem(`product.${error.reason}`);
    const refusals = error instanceof RefusedInputs ? error.faults : [error];
    const faults = refusals.flatMap((refusal) =>
      pointersOf(refusal, own).map((pointer) => ({ pointer, code: 'refused', detail: refusal.message })),
    );
    if (!(error instanceof RefusedEvent)) throw kernelProblem('body.invalid', { errors: faults });
    const { reason } = error;
    throw problem(`event.${reason}`, reason === 'super_event_required' ? { errors: faults } : {});
  }
}

/** The same for the body of one offer. */
export function inOfferWords<Result>(work: Promise<Result>): Promise<Result> {
  return mapRefusals(work, offerPointers);
}

function pointersOf(refusal: RefusedInput, own: Readonly<Record<string, string>>): string[] {
  const { field } = refusal;
  if (refusal instanceof UnknownIds) return refusal.ids.map((id) => own[id] ?? `/${field}`);
  const [, index, member = ''] = /^prices\/(\d+)\/(\w+)$/.exec(field) ?? [];
  if (index !== undefined) return [`/offers/${index}${offerPointers[member] ?? `/${member}`}`];
  return [own[field] ?? pointers[field] ?? `/${field}`];
}
