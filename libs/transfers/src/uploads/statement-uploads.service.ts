import { actorColumns, fromCents, RefusedInput, retryOnDeadlock } from '#kernel';
import { PaymentSubjects, SubjectUnavailable } from '#payments';
import { TenantDb, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readAccount } from '../account/transfer-account.service.js';
import { mostStatementBytes } from '../bounds.js';
import { texts } from '../locales/transfers.texts.js';
import { ArrivedMoneyService } from '../matching/arrived-money.service.js';
import { expectedTransfers } from '../matching/expected-transfers.js';
import { indexed, matchOf, type Match } from '../matching/match.js';
import { OrderPaymentsService } from '../matching/order-payments.service.js';
import { hasTwin } from '../matching/twins.js';
import { OrderedRefundsService } from '../refunds/ordered-refunds.service.js';
import { columnsOf, entriesOfCsv, headingKey, isComplete, readBankCsv, type CsvColumns, type CsvField } from '../statements/bank-csv.js';
import { readCamt } from '../statements/camt.js';
import type { EntryFinding, EntryState } from '../statements/entry-states.js';
import { keyed, type KeyedEntry, type StatementEntry } from '../statements/statement-entry.js';

/** A file of statements, read and compared. */
export interface UploadReport {
  /** Entries of the file. */
  readonly entries: number;
  /** Those that no earlier file had. */
  readonly added: number;
  /** Of these, by what the comparison said. */
  readonly findings: Readonly<Partial<Record<EntryFinding, number>>>;
}

/** The columns that are asked for. */
const neededFields = ['bookedOn', 'text', 'amount'] as const;

/** Entries that are compared before others get their turn. */
const entriesOfTurn = 50;

/** Rows of one statement. */
const bulk = 500;

/** Takes files of bank statements. The same entry counts once, in whatever file it is. */
@Injectable()
export class StatementUploadsService {
  constructor(
    private readonly db: TenantDb,
    private readonly orders: OrderPaymentsService,
    private readonly subjects: PaymentSubjects,
    private readonly refunds: OrderedRefundsService,
    private readonly arrived: ArrivedMoneyService,
  ) {}

  /**
   * Reads a file, stores its new entries and pays the orders that they match.
   * @param named headings of the columns of a CSV file, by what they say; without any: as for the last file with this heading, or as usual
   * @throws RefusedInput on `file`, or on a field of a CSV file whose column must be named
   */
  async upload(fileName: string, bytes: Buffer, named: Readonly<Partial<Record<CsvField, string>>> = {}): Promise<UploadReport> {
    if (bytes.length > mostStatementBytes) {
      const limit = mostStatementBytes / 1024 / 1024;
      throw new RefusedInput('file', texts.localized('upload.tooLarge', { limit }));
    }
    const start = bytes.toString('latin1', 0, 1000).trimStart();
    if (start.startsWith('<') || start.startsWith('ï»¿<'))
      return this.store(fileName, bytes, await readCamt(new TextDecoder().decode(bytes)), {});
    const table = await readBankCsv(bytes);
    const heading = headingKey(table);
    const isNamed = Object.values(named).some((text) => text !== '');
    const mapping = (isNamed ? undefined : await this.knownColumns(heading)) ?? columnsOf(table, named);
    const columns = table.heading.join(' · ').slice(0, 500);
    const lacking = isComplete(mapping) ? undefined : neededFields.find((field) => mapping[field] === undefined);
    if (lacking) throw new RefusedInput(lacking, texts.localized('upload.noColumn', { columns }));
    const account = await this.db.transaction(readAccount);
    return this.store(fileName, bytes, entriesOfCsv(table, mapping, account?.iban ?? ''), { heading, columns: JSON.stringify(mapping) });
  }

  /** How the columns of the last file with this heading were named. */
  private async knownColumns(heading: string): Promise<CsvColumns | undefined> {
    const [row] = await this.db.transaction((tx) =>
      tx.query<{ columns: string }[]>(
        `select columns from bank_statement where heading = $1 and columns <> '' order by created_at desc limit 1`,
        [heading],
      ),
    );
    return row && (JSON.parse(row.columns) as CsvColumns);
  }

  private async store(
    fileName: string,
    bytes: Buffer,
    entries: readonly StatementEntry[],
    { heading = '', columns = '' }: { readonly heading?: string; readonly columns?: string },
  ): Promise<UploadReport> {
    await this.arrived.settle();
    const digest = createHash('sha256').update(bytes).digest('hex');
    const { statementId, index, ownIban } = await this.db.transaction(async (tx) => {
      const [byUserId] = actorColumns();
      const [row] = await tx.query<{ id: string }[]>(
        `insert into bank_statement (file_name, digest, heading, columns, by_user_id) values ($1, $2, $3, $4, $5)
         on conflict (digest) do update set heading = excluded.heading, columns = excluded.columns returning id`,
        [fileName.slice(0, 200), digest, heading, columns, byUserId],
      );
      return {
        statementId: (row as { id: string }).id,
        index: indexed(await expectedTransfers(tx)),
        ownIban: (await readAccount(tx))?.iban,
      };
    });
    const findings: Partial<Record<EntryFinding, number>> = {};
    const others: { entry: KeyedEntry; match: Match }[] = [];
    let added = 0;
    const count = (finding: EntryFinding | undefined): void => {
      if (finding === undefined) return;
      findings[finding] = (findings[finding] ?? 0) + 1;
      added += 1;
    };
    for (const [at, entry] of keyed(entries).entries()) {
      if (at % entriesOfTurn === 0) await nextTurn();
      const isOther = entry.account !== '' && ownIban !== undefined && entry.account !== ownIban;
      const match = ofAccount(matchOf(entry, index), isOther);
      if (match.orders.length > 0) count(await this.matched(statementId, entry, match));
      else if (match.finding === 'debit') count(await this.debit(statementId, entry));
      else others.push({ entry, match });
    }
    for (let at = 0; at < others.length; at += bulk)
      for (const finding of await this.insertAll(statementId, others.slice(at, at + bulk))) count(finding);
    await this.db.transaction((tx) => tx.query('update bank_statement set added = added + $2 where id = $1', [statementId, added]));
    return { entries: entries.length, added, findings };
  }

  /** Stores an entry and pays its orders in one transaction: the key of the entry decides between uploads at once. */
  private async matched(statementId: string, entry: KeyedEntry, match: Match): Promise<EntryFinding | undefined> {
    const orderIds = match.orders.map(({ orderId }) => orderId);
    const work = async (tx: Tx): Promise<EntryFinding | undefined> => {
      const id = await insertEntry(tx, statementId, entry, { state: 'matched', finding: match.finding, probable: orderIds[0] });
      if (id === undefined) return undefined;
      const locked = await this.orders.lock(tx, orderIds);
      if (await hasTwin(tx, statementId, entry, orderIds[0])) {
        await tx.query(`update bank_entry set state = 'open', finding = 'twin' where id = $1`, [id]);
        return 'twin';
      }
      const left = await this.orders.book(tx, id, locked, entry.cents);
      if (left === 0) return match.finding;
      // Paid meanwhile, or with more than was missing.
      const finding = left === entry.cents ? 'paid' : 'over';
      await tx.query('update bank_entry set state = $2, finding = $3, excess = $4 where id = $1', [
        id,
        finding === 'paid' ? 'open' : 'refund_due',
        finding,
        finding === 'paid' ? '0' : fromCents(left),
      ]);
      return finding;
    };
    try {
      return await this.subjects.attempt(() => retryOnDeadlock(() => this.db.transaction(work)));
    } catch (error) {
      if (!(error instanceof SubjectUnavailable)) throw error;
      const as = { state: 'open', finding: 'late', probable: orderIds[0] } as const;
      return this.db.transaction(async (tx) => ((await insertEntry(tx, statementId, entry, as)) === undefined ? undefined : 'late'));
    }
  }

  /** A debit may be one of the refunds that staff ordered. */
  private debit(statementId: string, entry: KeyedEntry): Promise<EntryFinding | undefined> {
    return this.db.transaction(async (tx) => {
      const id = await insertEntry(tx, statementId, entry, { state: 'ignored', finding: 'debit' });
      if (id === undefined) return undefined;
      if (!(await this.refunds.settledBy(tx, entry.text, -entry.cents))) return 'debit';
      await tx.query(`update bank_entry set state = 'matched', finding = 'refund' where id = $1`, [id]);
      return 'refund';
    });
  }

  private insertAll(statementId: string, all: readonly { entry: KeyedEntry; match: Match }[]): Promise<EntryFinding[]> {
    return this.db.transaction(async (tx) => {
      const findings: EntryFinding[] = [];
      for (const { entry, match } of all) {
        const as = { state: 'open', finding: match.finding, probable: match.probable?.orderId } as const;
        const id = await insertEntry(tx, statementId, entry, as);
        if (id === undefined) continue;
        const isTwin = await hasTwin(tx, statementId, entry, as.probable);
        if (isTwin) await tx.query(`update bank_entry set finding = 'twin' where id = $1`, [id]);
        findings.push(isTwin ? 'twin' : match.finding);
      }
      return findings;
    });
  }
}

/** A credit of another account than that of the venue pays nothing by itself: its buyer was told the account of the venue. */
function ofAccount(match: Match, isOther: boolean): Match {
  if (!isOther || match.finding === 'debit') return match;
  return { finding: 'account', orders: [], probable: match.orders[0] ?? match.probable };
}

/** @returns undefined when the account has this entry already */
async function insertEntry(
  tx: Tx,
  statementId: string,
  { account, key, bookedOn, cents, currency, name, iban, bic, text }: KeyedEntry,
  { state, finding, probable }: { readonly state: EntryState; readonly finding: EntryFinding; readonly probable?: string | undefined },
): Promise<string | undefined> {
  const amount = cents < 0 ? `-${fromCents(-cents)}` : fromCents(cents);
  const [row] = await tx.query<{ id: string }[]>(
    `insert into bank_entry (statement_id, account, key, booked_on, amount, currency, name, iban, bic, text, state, finding,
       suggested_order_id)
     values ($1, $2, $3, $4::date, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict (account, key) do nothing returning id`,
    [statementId, account, key, bookedOn, amount, currency, name, iban, bic, text, state, finding, probable ?? null],
  );
  return row?.id;
}
