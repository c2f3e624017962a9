import { RefusedBooking } from '#tickets';
import { forEachLanguage, RefusedInput } from '#kernel';
import { RefusedDraft } from '../sales/draft-refusals.js';

/** A refusal of one part of a cart. */
export class RefusedCartPart extends RefusedInput {
  constructor(
    /** Id of the draft, or of the membership. */
    readonly partId: string,
    override readonly cause: RefusedBooking | RefusedDraft,
  ) {
    super(
      cause.field,
      forEachLanguage(() => cause.message),
    );
  }
}

/** Names the part that a refusal is about. */
export async function ofPart<Result>(id: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof RefusedBooking || (error instanceof RefusedDraft && error.reason !== 'not_payable')
      ? new RefusedCartPart(id, error)
      : error;
  }
}

/** The same for tickets that a part has already: whatever refuses them, they are not sold any more. */
export async function stillSold<Result>(id: string, work: Promise<Result>): Promise<Result> {
  try {
    return await ofPart(id, work);
  } catch (error) {
    const isOther = error instanceof RefusedInput && !(error instanceof RefusedCartPart);
    throw isOther ? new RefusedCartPart(id, new RefusedBooking('sale_ended', 'tickets')) : error;
  }
}
