import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { AnswerKnown, type Answer } from '#http';
import { isDatabaseUnavailable, SecretBox } from '#kernel';
import { ScheduledTasks } from '../../database/scheduled/scheduled-tasks.js';
import { problem } from '../../database/context/tenancy.problems.js';
import { currentTenant } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import { limits } from '../../limits.js';
import { answerBytes } from './idempotency-limits.js';
import { inProgress, type KeyedRequest } from '../../database/transactions/keyed-request.js';
import {
  beginStatement,
  forgetStatement,
  keepStatement,
  lookStatement,
  releaseStatement,
  renewStatement,
  type BegunRow,
  type HeldRow,
} from './idempotency-statements.js';

export { answerBytes, heldSeconds, keptHours } from './idempotency-limits.js';

/** Identifies one execution of a request. */
type Execution = Pick<KeyedRequest, 'id' | 'holder'>;

/** Requests of the current tenant that must not be executed twice. The first insert of the id decides who executes one. */
@Injectable()
export class IdempotentRequestsService implements OnModuleInit, OnApplicationShutdown {
  /** Ended holders by tenant and id, so that the next request in this process may take over the key at once. */
  private readonly unreleased = new Map<string, string>();
  private stopped = false;

  constructor(
    private readonly db: TenantDb,
    private readonly box: SecretBox,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.add('forget idempotency keys', () => this.forgetOld());
  }

  onApplicationShutdown(): void {
    this.stopped = true;
  }

  /**
   * Begins a request, or throws its answer. A request whose process died, or whose execution ended in this process without being released,
   * is taken over by exactly one caller.
   * @param id see `scopeHash`
   * @param hash see `requestHash`
   * @throws AnswerKnown when it was answered already; Problem 422 `idempotency.key_reused`, 409 `idempotency.in_progress`,
   * `idempotency.answer_not_kept`
   */
  async begin(id: Buffer, hash: Buffer): Promise<KeyedRequest> {
    const holder = randomUUID();
    try {
      // The conflicting row may be released before it is read: then the next attempt succeeds.
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const over = this.unreleased.get(nameOf(id)) ?? null;
        const [begun] = await this.db.statement<BegunRow & Record<string, unknown>>(beginStatement, [id, hash, holder, over]);
        if (begun) {
          this.unreleased.delete(nameOf(id));
          return { id, holder, outcome: begun.outcome ?? undefined, replayed: false };
        }
        const [row] = await this.db.statement<HeldRow & Record<string, unknown>>(lookStatement, [id]);
        if (row) throw this.answerOf(row, hash);
      }
    } catch (error) {
      // The row may exist although its insert was not confirmed.
      if (isDatabaseUnavailable(error)) this.releaseLater({ id, holder });
      throw error;
    }
    throw inProgress();
  }

  /** Renews a running request. Without renewal it is given up after 60 seconds. */
  async renew({ id, holder }: Execution): Promise<void> {
    await this.db.statement(renewStatement, [id, holder]);
  }

  /** Ends a request with its answer, encrypted. For an answer that is unavailable or larger than a megabyte only the status is stored. */
  async keep({ id, holder }: Execution, status: number, answer: Omit<Answer, 'status'> | undefined): Promise<void> {
    const text = answer && Buffer.from(JSON.stringify({ headers: answer.headers, body: answer.body }));
    const sealed = text && text.length <= answerBytes ? this.box.seal(text, purpose()) : null;
    await this.db.statement(keepStatement, [id, holder, status, sealed]);
  }

  /**
   * Ends a request without an answer. When nothing was committed, the next one with its key begins anew; otherwise the next one with the
   * same body is answered with the committed result. Never throws; when the database fails, it is repeated in the background.
   */
  async release(execution: Execution): Promise<void> {
    try {
      await this.db.statement(releaseStatement, [execution.id, execution.holder]);
    } catch {
      this.releaseLater(execution);
    }
  }

  private releaseLater(execution: Execution, attempt = 1): void {
    const name = nameOf(execution.id);
    // A key that is not remembered here expires after a minute without renewal.
    if (attempt === 1 && this.unreleased.size >= limits.unreleasedKeys.number) return;
    this.unreleased.set(name, execution.holder);
    const pause = Math.min(limits.releasePause.ms, 100 * 2 ** attempt);
    setTimeout(() => {
      if (this.stopped || this.unreleased.get(name) !== execution.holder) return;
      this.db.statement(releaseStatement, [execution.id, execution.holder]).then(
        () => this.forgetHolder(name, execution.holder),
        () => (attempt < 20 ? this.releaseLater(execution, attempt + 1) : this.forgetHolder(name, execution.holder)),
      );
    }, pause).unref();
  }

  private forgetHolder(name: string, holder: string): void {
    if (this.unreleased.get(name) === holder) this.unreleased.delete(name);
  }

  private answerOf(row: HeldRow, hash: Buffer): Error {
    if (!row.requestHash.equals(hash)) return problem('idempotency.key_reused');
    if (row.status === null) return inProgress();
    if (row.sealedAnswer === null) return problem('idempotency.answer_not_kept');
    const { headers, body } = JSON.parse(this.box.open(row.sealedAnswer, purpose()).toString()) as Omit<Answer, 'status'>;
    return new AnswerKnown({
      status: row.status,
      headers: { ...headers, 'Idempotency-Replayed': 'true' },
      body,
    });
  }

  private async forgetOld(): Promise<void> {
    for (let forgotten = 1; forgotten > 0;) {
      forgotten = (await this.db.statement(forgetStatement, [])).length;
    }
  }
}

function nameOf(id: Buffer): string {
  return `${currentTenant().id} ${id.toString('base64')}`;
}

function purpose(): string {
  return `idempotent answer ${currentTenant().id}`;
}
