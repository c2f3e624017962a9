import { membershipStates } from '#booking';
import { isoInZone } from '#kernel';
import type { ScanAnswer } from './scan.dto.js';
import type { CardFacts, CardRefusal, ScanFacts } from './scan-facts.js';
import { cardRefusals, messages } from './scan.messages.js';

/** Renders what was found of a membership's card: whether it is valid now, and whose it is. */
export function toCardAnswer({ outcome, language, timeZone }: ScanFacts, card: CardFacts): ScanAnswer {
  const at = (instant: string | null): string | null => (instant ? isoInZone(instant, timeZone) : null);
  const membership = {
    uuid: card.uuid,
    first_name: card.firstName,
    last_name: card.lastName,
    product: card.product,
    price: card.price,
    valid_from: at(card.validFrom),
    valid_until: at(card.validUntil),
    status: membershipStates[card.status][language],
  };
  if (outcome === 'accepted') return { success: true, message: messages.cardValid[language], membership };
  const reason = outcome as CardRefusal;
  return { success: false, message: cardRefusals[reason][language], reason, membership };
}
