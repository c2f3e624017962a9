import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ProductCopiesService, type ProductCopy } from '#catalogue';
import type { Page } from '#http';
import { JobsService } from '#jobs';
import { databaseNow, retryOnDeadlock, violatedConstraint } from '#kernel';
import { anyOf, TenantDb, type Tx } from '#tenancy';
import { codeEndJob } from '../booking-jobs.js';
import { WaitingSignal } from '../inventory/waiting.js';
import { allUsesOfCodeSql } from '../places/code-uses.js';
import { Code } from '../entities/code.entity.js';
import { lockKept, refuseTooManyKept } from './kept-places.js';
import { checkedCode, codeLimits, randomCode, refused, writableOf, type CodeChange, type NewCode } from './new-code.js';

/** A code with what it was used for until now. */
export type CountedCode = Code & {
  /** Tickets and memberships that use it, also those that are only held. */
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
export class CodesService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly waiting: WaitingSignal,
    private readonly jobs: JobsService,
    private readonly copies: ProductCopiesService,
  ) {}

  onModuleInit(): void {
    this.copies.follow(copyCodes);
    this.jobs.handle(codeEndJob, (id) => this.end(id));
  }

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
      await lockKept(tx, [known, { ...known, ...change }]);
      const current = await tx.findOneOrFail(Code, { where: { id }, lock: { mode: 'for_no_key_update' } });
      if (underLock) for (const one of await counted(tx, [current])) underLock(one);
      const { version } = current;
      const checked = { ...checkedCode({ ...writableOf(current), ...change }, current), version: version + 1 };
      await refuseUnknown(tx, checked, current);
      try {
        await tx.update(Code, { id }, { ...checked, updatedAt: () => 'now()' });
      } catch (error) {
        throw refusalOf(error);
      }
      // A capacity that was lowered later forbids no other change.
      if (isMoreKept(current, checked)) await refuseTooManyKept(tx, [checked]);
      await this.wakeAtEnd(tx, [{ ...current, ...checked }]);
      for (const eventId of current.reserved > 0 ? current.eventIds : []) await this.waiting.freed(tx, eventId);
      return (await counted(tx, await tx.find(Code, { where: { id } })))[0];
    };
    return retryOnDeadlock(() => this.db.transaction(changing));
  }

  /** Makes codes that are checked, and are for the same. @throws RefusedInput as `create`; the transaction can go on but for `code` */
  async createIn(tx: Tx, codes: readonly NewCode[]): Promise<CountedCode[]> {
    await lockKept(tx, codes);
    for (const code of codes.slice(0, 1)) await refuseUnknown(tx, code);
    try {
      const { identifiers } = await tx.insert(Code, [...codes]);
      const ids = identifiers.map(({ id }) => id as string);
      await refuseTooManyKept(tx, codes);
      const made = await tx.find(Code, { where: { id: anyOf(ids) }, order: { code: 'ASC' } });
      await this.wakeAtEnd(tx, made);
      return await counted(tx, made);
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /** The places that codes keep are free again when their validity ends. */
  private wakeAtEnd(tx: Tx, codes: readonly Code[]): Promise<void> {
    const jobs = codes.flatMap(({ id, reserved, validUntil: dueAt }) =>
      reserved > 0 && dueAt !== null ? [{ kind: codeEndJob, subjectId: id, time: { dueAt } }] : [],
    );
    return this.jobs.addAll(tx, jobs);
  }

  /** A code that was changed may end later than its job. */
  private async end(id: string): Promise<void> {
    await this.db.transaction(async (tx) => {
      const code = await tx.findOneBy(Code, { id });
      if (!code) return;
      if (code.validUntil !== null && code.validUntil > databaseNow()) return this.wakeAtEnd(tx, [code]);
      for (const eventId of code.eventIds) await this.waiting.freed(tx, eventId);
    });
  }
}

const isMoreKept = (former: Code, { reserved = 0, eventIds = [] }: NewCode): boolean =>
  reserved > former.reserved || eventIds[0] !== former.eventIds[0];

/** A copy of a product is sold with the codes that name the original, so that nobody who has one notices the copy. */
async function copyCodes(tx: Tx, { originalId, id, priceIds }: ProductCopy): Promise<void> {
  await tx.query(
    `with named as (select id from code where $1 = any(product_ids) or price_ids && $3::uuid[] order by id for no key update)
     update code set version = version + 1, updated_at = (select now()),
       product_ids = product_ids || case when $1 = any(product_ids) then array[$2::uuid] else '{}' end,
       price_ids = price_ids || array(select copied.id from unnest($3::uuid[], $4::uuid[]) as copied (original_id, id)
         where copied.original_id = any(code.price_ids))
     from named where code.id = named.id`,
    [originalId, id, [...priceIds.keys()], [...priceIds.values()]],
  );
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

function refusalOf(error: unknown): unknown {
  const constraint = violatedConstraint(error);
  if (constraint === 'code_place_idx') return refused('placeAmount', 'placeTaken');
  return constraint === 'code_code_key' ? refused('code', 'taken') : error;
}

async function counted(tx: Tx, codes: readonly Code[]): Promise<CountedCode[]> {
  const rows = await tx.query<{ id: string; uses: number; spent: string }[]>(
    `select code.id, used.uses, used.spent from code cross join lateral (
       ${allUsesOfCodeSql('count(*)::int as uses, coalesce(sum(used.saved), 0)::numeric(10, 2)::text as spent', 'code.id')}) used
     where code.id = any($1)`,
    [codes.map(({ id }) => id)],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return codes.map((code) => ({ ...code, uses: byId.get(code.id)?.uses ?? 0, spent: byId.get(code.id)?.spent ?? '0.00' }));
}
