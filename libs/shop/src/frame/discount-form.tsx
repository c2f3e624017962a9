import { currentLanguage } from '#kernel';
import type { Venue } from '#page-kit';
import { CodeForm, savedWords, type EnteredCode } from '#pages';
import type { UsedCode } from '#tickets';
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
