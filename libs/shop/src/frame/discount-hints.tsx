import { currency, currentLanguage, moneyWords } from '#kernel';
import type { MissingDiscount } from '#selling';
import type { VNode } from 'preact';
import { orderWords } from './order.words.js';

/** What the buyer may add to save more. */
export function DiscountHints({ missing }: { readonly missing: readonly MissingDiscount[] }): VNode | null {
  if (missing.length === 0) return null;
  return (
    <>
      {missing.map((one) => (
        <p class="hint">{hintWords(one)}</p>
      ))}
    </>
  );
}

function hintWords({ name, what, count, amount }: MissingDiscount): string {
  const language = currentLanguage();
  const words = orderWords[language];
  if (what === 'tickets') return words.missingTickets(name, count);
  if (what === 'events') return words.missingEvents(name, count);
  return amount !== null ? words.missingAmount(name, moneyWords(amount, currency, language)) : words.missingMembership(name);
}
