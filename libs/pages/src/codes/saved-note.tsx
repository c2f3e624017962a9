import { costsNothing, currency, currentLanguage, moneyWords } from '#kernel';
import { usedDiscountsOf, type UsedCode, type WholeReservation } from '#tickets';
import type { VNode } from 'preact';
import { codeWords } from './code.words.js';

interface SavedProps {
  readonly used?: UsedCode | null | undefined;
  readonly tickets: WholeReservation['tickets'];
}

/** Below tickets: which code they use and which discounts they have, and what these save. */
export function SavedNote({ used, tickets }: SavedProps): VNode | null {
  const language = currentLanguage();
  const notes = usedDiscountsOf(tickets).map(({ name, saved }) =>
    codeWords[language].discount(name, moneyWords(saved, currency, language)),
  );
  if (used) notes.unshift(savedWords(used));
  if (notes.length === 0) return null;
  return (
    <>
      {notes.map((note) => (
        <p class="hint">{note}</p>
      ))}
    </>
  );
}

/** The same as a text. */
export function savedWords({ code, saved }: UsedCode): string {
  const language = currentLanguage();
  const words = codeWords[language];
  return costsNothing(saved) ? words.applies(code) : words.saved(code, moneyWords(saved, currency, language));
}
