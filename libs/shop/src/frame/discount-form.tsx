import { costsNothing, currency, currentLanguage, moneyWords } from '#kernel';
import type { Venue } from '#page-kit';
import { CodeForm, codeWords, type EnteredCode } from '#pages';
import type { UsedCode } from '#selling';
import type { VNode } from 'preact';

interface DiscountFormProps {
  /** Path of the order or the cart. */
  readonly path: string;
  readonly venue: Venue;
  /** The code that it uses. */
  readonly used: UsedCode | undefined;
  readonly refused?: EnteredCode | undefined;
}

/** The field for a code of an order, where the venue has codes. */
export function DiscountForm({ path, venue, used, refused }: DiscountFormProps): VNode | null {
  if (venue.hasCodes !== true && !used) return null;
  const entered = refused ?? (used && { typed: used.code, notes: [savedWords(used)] });
  return <CodeForm action={`${path}/discount`} method="post" entered={entered} language={currentLanguage()} />;
}

/** Below the tickets: which code they use, and what it saves. */
export function SavedNote({ used }: { readonly used: UsedCode | undefined }): VNode | null {
  return used ? <p class="hint">{savedWords(used)}</p> : null;
}

function savedWords({ code, saved }: UsedCode): string {
  const language = currentLanguage();
  const words = codeWords[language];
  return costsNothing(saved) ? words.applies(code) : words.saved(code, moneyWords(saved, currency, language));
}
