import { RefusedInput, type Text } from '#kernel';
import { texts } from '../locales/waiting.texts.js';

/** Why a request about a waiting list is refused. */
export type WaitingConflict = 'no_list' | 'too_many' | 'too_many_here' | 'quantity' | 'no_places' | 'not_waiting';

const conflicts: Readonly<Record<WaitingConflict, Text>> = {
  no_list: texts.localized('waiting.noList'),
  too_many: texts.localized('waiting.tooMany'),
  too_many_here: texts.localized('waiting.tooManyHere'),
  quantity: texts.localized('waiting.quantity'),
  no_places: texts.localized('waiting.noPlaces'),
  not_waiting: texts.localized('waiting.notWaiting'),
};

/** A refusal about a waiting list. A form shows it beside `field`. */
export class RefusedWaiting extends RefusedInput {
  constructor(
    readonly reason: WaitingConflict,
    field: string,
  ) {
    super(field, conflicts[reason]);
  }
}
