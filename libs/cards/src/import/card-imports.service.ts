import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { RefusedInput, sqlStateOf } from '#kernel';
import { TenantDb, type Tx } from '#tenancy';
import { compareLines, rowsAtOnce, type Comparison, type ImportedCard, type LineFault } from './card-comparison.js';
import { readCardLines } from './card-lines.js';
import { texts } from '../locales/cards.texts.js';

/** `check` imports nothing; `whole` imports only when every line is correct; `rest` skips the faulty lines. */
export const importModes = ['check', 'whole', 'rest'] as const;
export type ImportMode = (typeof importModes)[number];

export interface CardImportReport {
  readonly lines: number;
  readonly added: number;
  readonly completed: number;
  readonly unchanged: number;
  /** The first faults, in the order of the lines. */
  readonly faults: readonly LineFault[];
  readonly faultsCount: number;
  /** Whether the cards are now stored. */
  readonly isImported: boolean;
}

/** Further faults are counted but not listed. */
const mostFaults = 1000;

/** Imports cards from CSV files. */
@Injectable()
export class CardImportsService {
  constructor(private readonly db: TenantDb) {}

  /**
   * Compares a CSV file with the stored cards and, on request, imports it. A line never changes a stored value, it only adds missing
   * ones; so the same file can be imported again. Comparison and import are one transaction, which blocks other writers of cards.
   * @throws RefusedInput on `file` when it cannot be read; on `mode` while others are writing cards
   */
  async run(file: Readable, mode: ImportMode): Promise<CardImportReport> {
    const lines = await readCardLines(file);
    try {
      return await this.db.shared(async (tx) => {
        // Serialises writers of cards, so that the comparison is still true when its result is written.
        if (mode !== 'check') await tx.query('lock table shared.card in share row exclusive mode');
        const compared = await compareLines(tx, lines);
        const isImported = mode === 'rest' || (mode === 'whole' && compared.faults.length === 0);
        if (isImported) await write(tx, compared);
        return {
          lines: lines.length,
          added: compared.added.length,
          completed: compared.completed.length,
          unchanged: compared.unchanged,
          faults: compared.faults.slice(0, mostFaults),
          faultsCount: compared.faults.length,
          isImported,
        };
      });
    } catch (error) {
      if (sqlStateOf(error) !== '55P03') throw error;
      throw new RefusedInput('mode', texts.localized('cardImports.busy'));
    }
  }
}

async function write(tx: Tx, { added, completed }: Comparison): Promise<void> {
  for (let from = 0; from < added.length; from += rowsAtOnce) await tx.query(insertSql, valuesOf(added.slice(from, from + rowsAtOnce)));
  for (let from = 0; from < completed.length; from += rowsAtOnce)
    await tx.query(completeSql, valuesOf(completed.slice(from, from + rowsAtOnce)));
}

function valuesOf(cards: readonly ImportedCard[]): unknown[] {
  return [
    cards.map(({ tag }) => tag),
    cards.map(({ number }) => number),
    cards.map(({ ownerEmail }) => ownerEmail),
    cards.map(({ ownerKey }) => ownerKey),
    cards.map(({ originTenantId }) => originTenantId),
    cards.map(({ state }) => state ?? 'active'),
  ];
}

const rowsSql = `unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::text[])
  as given (tag, number, owner_email, owner_key, origin_tenant_id, state)`;

const insertSql = `insert into shared.card (tag, number, owner_email, owner_key, origin_tenant_id, state)
  select tag, number, owner_email, owner_key, origin_tenant_id, state from ${rowsSql}`;

// The state of a stored card is never null: $6 is here only because both statements share their parameters.
const completeSql = `update shared.card card set number = coalesce(card.number, given.number),
    owner_email = coalesce(card.owner_email, given.owner_email), owner_key = coalesce(card.owner_key, given.owner_key),
    origin_tenant_id = coalesce(card.origin_tenant_id, given.origin_tenant_id), changed_at = (select now())
  from ${rowsSql} where card.tag = given.tag`;
