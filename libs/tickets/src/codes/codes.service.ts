import { Injectable } from '@nestjs/common';
import type { Page } from '#http';
import { retryOnDeadlock, violatedConstraint } from '#kernel';
import { anyOf, TenantDb, type Tx } from '#tenancy';
import { lockEvents } from '../inventory/inventory.js';
import { WaitingSignal } from '../inventory/waiting.js';
import { usesOfCodeSql } from '../places/code-uses.js';
import { sharingSql } from '../places/free-places.js';
import { Code } from '../entities/code.entity.js';
import { checkedCode, codeLimits, randomCode, refused, writableOf, type CodeChange, type NewCode } from './new-code.js';

/** A code with what it was used for until now. */
export type CountedCode = Code & {
  /** Tickets that use it, also those that are only held. */
  readonly uses: number;
  /** Decimal text. */
  readonly spent: string;
};

interface CodeQuery {
  readonly code?: string | undefined;
  readonly tag?: string | undefined;
  readonly page?: Page | undefined;
}

/** Manages the codes of the current tenant. Bookings take their uses. */
@Injectable()
export class CodesService {
  constructor(
    private readonly db: TenantDb,
    private readonly waiting: WaitingSignal,
  ) {}

  /** Newest first. @param query.code as `codeKey` writes it @returns also the total number */
  list({ code, tag, page }: CodeQuery = {}): Promise<{ codes: CountedCode[]; total: number }> {
    const where = { ...(code !== undefined && { code }), ...(tag !== undefined && { tag }) };
    return this.db.transaction(async (tx) => {
      const codes = await tx.find(Code, { where, order: { createdAt: 'DESC', code: 'ASC' }, ...page });
      return { codes: await counted(tx, codes), total: page ? await tx.count(Code, { where }) : codes.length };
    });
  }

  /** @returns undefined when there is none */
  find(id: string): Promise<CountedCode | undefined> {
    return this.db.transaction(async (tx) => (await counted(tx, await tx.find(Code, { where: { id } })))[0]);
  }

  /** Makes a code. @throws RefusedInput on the first member that does not fit */
  create(input: NewCode): Promise<CountedCode> {
    return this.db.transactionOnce(async (tx) => (await this.createIn(tx, [checkedCode(input)]))[0] as CountedCode);
  }

  /**
   * Makes several codes that are equal but for their texts, which are random.
   * @param prefix stands before each
   * @throws RefusedInput on `count`, on `code` for a prefix that no code can begin with, and as `create`
   */
  async generate(count: number, prefix: string, input: Omit<NewCode, 'code'>): Promise<CountedCode[]> {
    if (!Number.isInteger(count) || count < 1 || count > codeLimits.generated) throw refused('count', 'count');
    const codes = new Map<string, NewCode>();
    while (codes.size < count) {
      const code = checkedCode({ ...input, code: randomCode(prefix) });
      codes.set(code.code, code);
    }
    return await this.db.transactionOnce((tx) => this.createIn(tx, [...codes.values()]));
  }

  /**
   * Changes a code. What was bought with it keeps its price.
   * @param underLock sees the code while it is locked; an error that it throws cancels the change
   * @returns undefined when there is none
   * @throws RefusedInput as `create`; what `underLock` throws
   */
  update(id: string, change: CodeChange, underLock?: (current: CountedCode) => void): Promise<CountedCode | undefined> {
    const changing = async (tx: Tx): Promise<CountedCode | undefined> => {
      const known = await tx.findOneBy(Code, { id });
      if (!known) return undefined;
      await keepPlaces(tx, [known, { ...known, ...change }]);
      const current = await tx.findOneOrFail(Code, { where: { id }, lock: { mode: 'for_no_key_update' } });
      if (underLock) for (const one of await counted(tx, [current])) underLock(one);
      const { version } = current;
      const checked = { ...checkedCode({ ...writableOf(current), ...change }), version: version + 1 };
      await refuseUnknown(tx, checked, current);
      try {
        await tx.update(Code, { id }, { ...checked, updatedAt: () => 'now()' });
      } catch (error) {
        throw refusalOf(error);
      }
      for (const eventId of current.reserved > 0 ? current.eventIds : []) await this.waiting.freed(tx, eventId);
      return (await counted(tx, await tx.find(Code, { where: { id } })))[0];
    };
    return retryOnDeadlock(() => this.db.transaction(changing));
  }

  private async createIn(tx: Tx, codes: readonly NewCode[]): Promise<CountedCode[]> {
    await keepPlaces(tx, codes);
    for (const code of codes.slice(0, 1)) await refuseUnknown(tx, code);
    try {
      const { identifiers } = await tx.insert(Code, [...codes]);
      const ids = identifiers.map(({ id }) => id as string);
      return await counted(tx, await tx.find(Code, { where: { id: anyOf(ids) }, order: { code: 'ASC' } }));
    } catch (error) {
      throw refusalOf(error);
    }
  }
}

/**
 * Locks the events whose places codes keep: before the codes, as sales do.
 * @param codes as they were, and as they become
 * @throws RefusedInput on `reserved` when the event shares its places with other dates
 */
async function keepPlaces(tx: Tx, codes: readonly Pick<NewCode, 'reserved' | 'eventIds' | 'disabled'>[]): Promise<void> {
  const eventIds = codes.flatMap(({ reserved = 0, eventIds: ids = [] }) => (reserved > 0 ? ids : []));
  if (eventIds.length === 0) return;
  await lockEvents(tx, [...new Set(eventIds)]);
  const next = codes.at(-1);
  const kept = next && (next.reserved ?? 0) > 0 && !next.disabled ? next.eventIds : [];
  const shared = await tx.query<unknown[]>(`select from event one where id = any($1) and exists (${sharingSql('one')})`, [kept]);
  if (shared.length > 0) throw refused('reserved', 'sharedPlaces');
}

const targets = { priceIds: 'price', productIds: 'product', eventIds: 'event' } as const;

/** @throws RefusedInput when a code names something that does not exist; what the former one named may have been deleted */
async function refuseUnknown(tx: Tx, code: NewCode, former?: Code): Promise<void> {
  for (const [name, table] of Object.entries(targets) as [keyof typeof targets, string][]) {
    const ids = [...new Set(code[name])].filter((id) => !former?.[name].includes(id));
    if (ids.length === 0) continue;
    const found = await tx.query<unknown[]>(`select 1 from ${table} where id = any($1)`, [ids]);
    if (found.length < ids.length) throw refused(name, 'unknown');
  }
}

const refusalOf = (error: unknown): unknown => (violatedConstraint(error) === 'code_code_key' ? refused('code', 'taken') : error);

async function counted(tx: Tx, codes: readonly Code[]): Promise<CountedCode[]> {
  const rows = await tx.query<{ id: string; uses: number; spent: string }[]>(
    `select code.id, used.uses, used.spent from code cross join lateral (
       ${usesOfCodeSql('count(*)::int as uses, coalesce(sum(used.saved), 0)::numeric(10, 2)::text as spent', 'code.id')}) used
     where code.id = any($1)`,
    [codes.map(({ id }) => id)],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return codes.map((code) => ({ ...code, uses: byId.get(code.id)?.uses ?? 0, spent: byId.get(code.id)?.spent ?? '0.00' }));
}
