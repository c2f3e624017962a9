import { useEffect, useRef, useState } from 'react';
import { call, useFailed, type ActionAddress } from '#panel-kit/components/page/view.js';
import type { BoxOfficeView, QuotedView } from '../../../box-office/sale-view.js';
import { saleToSend, type ChosenPart, type SaleForm, type Sales } from './sale-state.js';

/** What decides about discounts, as it is asked. */
function askedOf(form: SaleForm, sales: Sales): string {
  const { email, parts, memberships } = saleToSend(form, sales, 'cash').data;
  return JSON.stringify({
    email,
    parts: parts.map(({ eventId, tickets, code }) => ({
      eventId,
      code,
      tickets: tickets.map(({ priceId, quantity, amount }) => ({ priceId, quantity, amount })),
    })),
    memberships: memberships.map(({ priceId, quantity }) => ({ priceId, quantity })),
  });
}

/**
 * What is chosen with the discounts of the venue, which the server knows. Until it has answered, nothing can be sold.
 * @param isAsked the venue has discounts
 */
export function useDiscounts(
  address: ActionAddress,
  chosen: readonly ChosenPart[],
  { form, sales, isAsked }: { readonly form: SaleForm; readonly sales: Sales; readonly isAsked: boolean },
): readonly ChosenPart[] {
  const failed = useFailed();
  const latest = useRef(0);
  const [quote, setQuote] = useState<{ readonly asked: string; readonly parts: QuotedView } | null>(null);
  const needs = isAsked && chosen.length > 0;
  const asked = needs ? askedOf(form, sales) : '';
  useEffect(() => {
    if (asked === '') return undefined;
    const turn = (latest.current += 1);
    const ask = async (): Promise<void> => {
      try {
        const { view } = await call<BoxOfficeView>(address, { params: { quote: asked } });
        if (turn === latest.current) setQuote({ asked, parts: view?.quoted ?? [] });
      } catch {
        failed();
        // The sale says what it costs.
        if (turn === latest.current) setQuote({ asked, parts: [] });
      }
    };
    const timer = setTimeout(() => void ask(), 250);
    return () => clearTimeout(timer);
  }, [asked]);
  if (!needs) return chosen;
  return chosen.map((part) => {
    if (quote?.asked !== asked) return { ...part, isOpen: true };
    const found = quote.parts.find(({ eventId }) => eventId === part.key);
    return found ? { ...part, total: found.total, saved: found.saved } : part;
  });
}
