import { Injectable } from '@nestjs/common';
import { RefusedInput, RefusedInputs, retryOnDeadlock } from '#kernel';
import { anyOf, TenantDb, type Tx } from '#tenancy';
import { IsNull } from 'typeorm';
import { Product } from '../entities/product.entity.js';
import { demandSaleOf } from '../values/product-module.js';
import { checkQuestions, columnsOf, questionNameOf, type NewQuestion } from './question-rules.js';
import { Question } from '../entities/question.entity.js';
import { texts } from '../locales/catalogue.texts.js';

/** Manages questions of the current tenant's products. Writers lock the product, then its questions in the order of their ids. */
@Injectable()
export class QuestionsService {
  constructor(private readonly db: TenantDb) {}

  /**
   * Replaces the questions of a product, in this order. An existing question is found by its id, else by its name or label, and changed.
   * Questions that are not in the list are deleted, or archived when they have answers. A question with answers whose kind or scope
   * changes is archived and replaced by a new one.
   * @returns false when there is no such product
   * @throws RefusedInputs on `questions/<index>/<member>`; Problem 403 `tenant.module`
   */
  define(productId: string, wanted: readonly NewQuestion[]): Promise<boolean> {
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        const product = await tx.findOne(Product, {
          where: { id: productId, builtIn: IsNull() },
          select: { id: true, category: true },
          lock: { mode: 'for_no_key_update' },
        });
        if (product && wanted.length > 0) demandSaleOf(product.category);
        if (product) await this.defineIn(tx, productId, wanted);
        return product !== null;
      }),
    );
  }

  /** Like `define`, in a transaction that has locked the product, or creates it. */
  async defineIn(tx: Tx, productId: string, wanted: readonly NewQuestion[]): Promise<void> {
    try {
      checkQuestions(wanted);
      const current = await lockQuestions(tx, productId);
      const matches = matchesOf(wanted, current);
      const answered = await answeredOf(tx, current);
      const kept = matches.map((match, index) => {
        const { kind, scope } = columnsOf(wanted[index] as NewQuestion, index);
        if (!match) return undefined;
        const same = match.kind === kind && match.scope === scope;
        return same || !answered.has(match.id) ? match : undefined;
      });
      await retire(
        tx,
        current.filter((question) => !kept.includes(question)),
        answered,
      );
      await write(tx, productId, wanted, kept, matches);
    } catch (error) {
      throw error instanceof RefusedInput ? error.within('questions') : error;
    }
  }
}

/** The active questions of products, by product, in their order. */
export async function loadQuestions(tx: Tx, productIds: readonly string[]): Promise<Question[]> {
  return tx.find(Question, {
    where: { productId: anyOf(productIds), archivedAt: IsNull() },
    order: { position: 'ASC', id: 'ASC' },
  });
}

/** Waits for bookings that are answering them, which hold a key share lock on the same rows. */
function lockQuestions(tx: Tx, productId: string): Promise<Question[]> {
  return tx.find(Question, {
    where: { productId, archivedAt: IsNull() },
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
}

/** The existing question that each definition changes. */
function matchesOf(wanted: readonly NewQuestion[], current: readonly Question[]): (Question | undefined)[] {
  const faults: RefusedInput[] = [];
  const taken = new Set<Question>();
  const take = (index: number, fits: (question: Question) => boolean): Question | undefined => {
    const found = current.find((question) => !taken.has(question) && fits(question));
    if (found) taken.add(found);
    else if (wanted[index]?.id !== undefined) faults.push(new RefusedInput(`${index}/id`, unknownQuestion));
    return found;
  };
  const matches = new Map<number, Question | undefined>();
  // Ids first: when two labels are swapped, the id decides.
  for (const [index, { id }] of wanted.entries())
    if (id !== undefined)
      matches.set(
        index,
        take(index, (question) => question.id === id),
      );
  for (const [index, { id, name, label }] of wanted.entries()) {
    if (id !== undefined) continue;
    const key = name ?? questionNameOf(label);
    matches.set(
      index,
      take(index, (question) => question.name === key),
    );
  }
  if (faults.length > 0) throw new RefusedInputs(faults);
  return wanted.map((_, index) => matches.get(index));
}

async function answeredOf(tx: Tx, questions: readonly Question[]): Promise<ReadonlySet<string>> {
  if (questions.length === 0) return new Set();
  const rows = await tx.query<{ id: string }[]>(
    'select id from question where id = any($1) and exists (select 1 from answer where answer.question_id = question.id)',
    [questions.map(({ id }) => id)],
  );
  return new Set(rows.map(({ id }) => id));
}

async function retire(tx: Tx, questions: readonly Question[], answered: ReadonlySet<string>): Promise<void> {
  const [archived, deleted] = [true, false].map((was) => questions.map(({ id }) => id).filter((id) => answered.has(id) === was)) as [
    string[],
    string[],
  ];
  if (deleted.length > 0) await tx.delete(Question, { id: anyOf(deleted) });
  if (archived.length > 0) await tx.update(Question, { id: anyOf(archived) }, { archivedAt: () => 'now()' });
}

/** @param kept the question that each definition changes; @param matches also archived questions, whose name the replacement takes over */
async function write(
  tx: Tx,
  productId: string,
  wanted: readonly NewQuestion[],
  kept: readonly (Question | undefined)[],
  matches: readonly (Question | undefined)[],
): Promise<void> {
  const names = new Set(kept.flatMap((question) => question?.name ?? []));
  for (const [index, question] of wanted.entries()) {
    const columns = columnsOf(question, index);
    const existing = kept[index];
    if (existing) {
      await tx.update(Question, { id: existing.id }, columns);
      continue;
    }
    const name = freeName(matches[index]?.name ?? question.name ?? questionNameOf(question.label), names);
    names.add(name);
    await tx.insert(Question, { ...columns, productId, name });
  }
}

/** `name`, or `name-2`, `name-3` … when it is taken. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name.slice(0, 56)}-${count}`;
  return free;
}

const unknownQuestion = texts.localized('questions.unknownQuestion');
