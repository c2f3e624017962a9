import { randomUUID } from 'node:crypto';
import { fromCents, toCents } from '#kernel';
import type { LineKind } from './order-line.entity.js';
import { vatOfLines } from './vat.js';

/** Something that is sold: one ticket, one piece of goods, one membership, one donation. */
export interface Sold {
  readonly kind: LineKind;
  /** null: a donation and a gift card have none. */
  readonly priceId: string | null;
  readonly productId: string | null;
  /** Product and price, or what else the buyer reads. */
  readonly name: string;
  /** With VAT, decimal text. */
  readonly amount: string;
  /** In percent, decimal text. */
  readonly vatRate: string;
  /** What a code saves, decimal text; null: no code is used. */
  readonly saved?: string | null | undefined;
  /** The discount that reduces it; null: none does. */
  readonly discount?: LineDiscount | null | undefined;
}

/** A discount at a piece of a line. */
export interface LineDiscount {
  readonly id: string;
  readonly name: string;
  /** At each piece, decimal text. */
  readonly saved: string;
  /** Product of the membership that the buyer must have; null: none. */
  readonly membershipId: string | null;
}

/** A line to write. */
export interface NewLine extends Sold {
  readonly id: string;
  readonly quantity: number;
  readonly unitAmount: string;
  readonly vatAmount: string;
}

/**
 * The lines of what is sold together: pieces with the same price, amount and rate are one line.
 * @returns the lines in the order of their first pieces, and the line of each piece
 */
export function linesOfSold(sold: readonly Sold[]): { readonly lines: NewLine[]; readonly lineIds: string[] } {
  const groups = new Map<string, { readonly id: string; readonly first: Sold; quantity: number }>();
  const lineIds = sold.map((piece) => {
    const key = [piece.priceId, piece.amount, piece.vatRate, piece.saved, piece.discount?.id, piece.discount?.saved].join(' ');
    const group = groups.get(key) ?? { id: randomUUID(), first: piece, quantity: 0 };
    groups.set(key, group);
    group.quantity += 1;
    return group.id;
  });
  const priced = [...groups.values()].map(({ id, first, quantity }) => ({
    ...first,
    id,
    quantity,
    unitAmount: first.amount,
    amount: fromCents(toCents(first.amount) * quantity),
  }));
  const vat = vatOfLines(priced);
  return { lines: priced.map((line, index) => ({ ...line, vatAmount: vat[index] as string })), lineIds };
}
