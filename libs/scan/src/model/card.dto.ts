import { membershipStates } from '#memberships';
import { isoInZone } from '#kernel';
import type { CardChecked } from './check-answers.dto.js';
import type { CardRefused } from './scan-answers.dto.js';
import type { ScanAction } from './scan-log.entity.js';
import type { CardFacts, CardRefusal, ScanFacts } from './scan-facts.js';
import { cardRefusals, messages } from './scan.messages.js';

/**
 * Renders a membership card. A check answers the holder and whether the card is valid now. `may_enter` is false, because a card is no
 * ticket. `reason` is `membership` for a valid card, otherwise the reason why it is not valid. A scan refuses every card with `membership`.
 */
export function toCardAnswer(action: ScanAction, { outcome, language, timeZone }: ScanFacts, card: CardFacts): CardChecked | CardRefused {
  const at = (instant: string | null): string | null => (instant ? isoInZone(instant, timeZone) : null);
  const membership = {
    uuid: card.uuid,
    first_name: card.firstName,
    last_name: card.lastName,
    product: card.product,
    price: card.price,
    valid_from: isoInZone(card.validFrom, timeZone),
    valid_until: at(card.validUntil),
    status: membershipStates[card.status][language],
  };
  if (action !== 'check') {
    const reason = outcome as CardRefusal;
    const validity = card.validity && { validity: card.validity };
    return { success: false, message: cardRefusals[reason][language], reason, membership: { ...membership, ...validity } };
  }
  const isValid = outcome === 'accepted';
  return {
    success: true,
    message: messages.cardChecked[language],
    may_enter: false,
    reason: isValid ? 'membership' : (outcome as CardRefusal),
    detail: (isValid ? messages.cardValid : cardRefusals[outcome as CardRefusal])[language],
    membership: { ...membership, is_valid: isValid },
  };
}
