import { currency, toCents } from '#kernel';
import { referenceLength } from '../expected/transfer-reference.js';
import type { EntryFinding } from '../statements/entry-states.js';
import type { StatementEntry } from '../statements/statement-entry.js';

/** An order that is, or was, to be paid by transfer. */
export interface ExpectedTransfer {
  readonly orderId: string;
  readonly reference: string;
  /** What is missing, decimal text; zero: it is paid, cancelled or over. */
  readonly missing: string;
  /** Of the buyer. */
  readonly name: string;
}

/** What an entry is for. */
export interface Match {
  readonly finding: EntryFinding;
  /** The orders that it pays, in whole or in part; empty: staff decide. */
  readonly orders: readonly ExpectedTransfer[];
  /** Of those that staff decide about: what it is probably for. */
  readonly probable?: ExpectedTransfer | undefined;
}

/** Expected transfers by their references, and by references with one missing or different sign. */
export interface TransferIndex {
  readonly exact: ReadonlyMap<string, ExpectedTransfer>;
  readonly almost: ReadonlyMap<string, ExpectedTransfer>;
  /** Those that money is missing for, by how many cents. */
  readonly byMissing: ReadonlyMap<number, readonly ExpectedTransfer[]>;
}

export function indexed(all: readonly ExpectedTransfer[]): TransferIndex {
  const exact = new Map(all.map((one) => [one.reference, one]));
  const almost = new Map<string, ExpectedTransfer>();
  for (const one of all) for (const form of formsOf(one.reference)) almost.set(form, one);
  const byMissing = new Map<number, ExpectedTransfer[]>();
  for (const one of all) {
    const cents = toCents(one.missing);
    if (cents <= 0) continue;
    const same = byMissing.get(cents);
    if (same) same.push(one);
    else byMissing.set(cents, [one]);
  }
  return { exact, almost, byMissing };
}

/** Matches a credit in euros with the orders: by reference, else by name and amount. */
export function matchOf(entry: StatementEntry, index: TransferIndex): Match {
  if (entry.cents <= 0) return { finding: 'debit', orders: [] };
  if (entry.currency !== currency) return { finding: 'currency', orders: [] };
  const signs = signsOf(entry.text);
  const named = found(signs, index.exact, (window) => [window]);
  const open = named.filter(({ missing }) => toCents(missing) > 0);
  const sum = open.reduce((cents, { missing }) => cents + toCents(missing), 0);
  if (named.length === 1) return ofOne(named[0] as ExpectedTransfer, entry.cents);
  if (named.length > 1)
    return open.length > 0 && sum === entry.cents
      ? { finding: 'several', orders: open }
      : { finding: 'sum', orders: [], probable: open[0] };
  const near = found(signs, index.almost, formsOf).find(({ missing }) => toCents(missing) > 0);
  if (near) return { finding: 'almost', orders: [], probable: near };
  const same = (index.byMissing.get(entry.cents) ?? []).filter(({ name }) => isSameName(name, entry.name));
  return same.length === 1 ? { finding: 'name', orders: [], probable: same[0] } : { finding: 'none', orders: [] };
}

function ofOne(order: ExpectedTransfer, cents: number): Match {
  const missing = toCents(order.missing);
  if (missing <= 0) return { finding: 'paid', orders: [], probable: order };
  return { finding: cents === missing ? 'exact' : cents < missing ? 'under' : 'over', orders: [order] };
}

/** Capital letters and digits alone: banks break lines, and people write spaces and signs. */
export const signsOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^A-Z\d]/g, '');

function found(
  signs: string,
  known: ReadonlyMap<string, ExpectedTransfer>,
  formsIn: (window: string) => readonly string[],
): ExpectedTransfer[] {
  const orders = new Map<string, ExpectedTransfer>();
  for (let at = 0; at + referenceLength - 1 <= signs.length; at += 1) {
    for (const form of formsIn(signs.slice(at, at + referenceLength))) {
      const order = known.get(form);
      if (order) orders.set(order.orderId, order);
    }
  }
  return [...orders.values()];
}

/** A reference with each of its signs left open, and left out. */
function formsOf(reference: string): string[] {
  const open = Array.from({ length: reference.length }, (_, at) => `${reference.slice(0, at)}?${reference.slice(at + 1)}`);
  const without = Array.from({ length: reference.length }, (_, at) => reference.slice(0, at) + reference.slice(at + 1));
  return reference.length < referenceLength ? [reference] : [...open, ...without];
}

/** Whether two names have their words in common, in any order and case, with or without accents. */
function isSameName(one: string, other: string): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  return words.length > 0 && words.every((word) => others.includes(word));
}

const wordsOf = (name: string): string[] =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 1);
