import { RefusedInput, type Text } from '#kernel';
import { texts } from '../locales/places.texts.js';

type Reason = 'unknown' | 'asked' | 'accepted' | 'soon' | 'many';

const sentences: Readonly<Record<Reason, Text>> = {
  unknown: texts.localized('networkRefusals.unknown'),
  asked: texts.localized('networkRefusals.alreadyRequested'),
  accepted: texts.localized('networkRefusals.alreadyMember'),
  soon: texts.localized('networkRefusals.refusedRecently'),
  many: texts.localized('networkRefusals.tooMany'),
};

/** Why a tenant cannot ask to join a network. */
export function membershipRefusal(reason: Reason): RefusedInput {
  return new RefusedInput('networkId', sentences[reason]);
}
