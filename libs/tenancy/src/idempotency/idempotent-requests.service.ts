import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AnswerKnown, SecretBox, type Answer } from '#kernel';
import { Chores } from '../chores.service.js';
import { problem } from '../tenancy.problems.js';
import { currentTenant } from '../tenant-context.js';
import { TenantDb, type DoorStatement } from '../tenant-db.js';

/** How long the same key gets the same answer. */
export const keptHours = 24;
/** A running mark that was not renewed for so long was left by a process that died. */
export const heldSeconds = 60;
/** Of headers and body together; a larger answer is not kept. */
export const answerBytes = 1_048_576;

/** One execution, which must be ended with `keep` or `release`. */
export interface BegunRequest {
  readonly id: Buffer;
  readonly holder: string;
}

interface HeldRow {
  readonly requestHash: Buffer;
  readonly status: number | null;
  readonly sealedAnswer: Buffer | null;
}

/** Requests of the current tenant that must not be done twice. PostgreSQL decides who does one: the first insert of its id. */
@Injectable()
export class IdempotentRequests implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly box: SecretBox,
    private readonly chores: Chores,
  ) {}

  onModuleInit(): void {
    this.chores.add('forget idempotency keys', () => this.forgetOld());
  }

  /**
   * Begins a request, or says what it was answered. A mark whose process died is taken over by exactly one.
   * @param id see `scopeHash`
   * @param hash see `requestHash`
   * @throws AnswerKnown when it was answered already; Problem 422 `idempotency.key_reused`, 409 `idempotency.in_progress`,
   *   `idempotency.answer_not_kept`
   */
  async begin(id: Buffer, hash: Buffer): Promise<BegunRequest> {
    const holder = randomUUID();
    // A row that was in the way may be released before it is looked at: then its place is free.
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const begun = await this.db.statement(beginStatement, [id, hash, holder]);
      if (begun.length > 0) return { id, holder };
      const [row] = await this.db.statement<HeldRow & Record<string, unknown>>(lookStatement, [id]);
      if (row) throw this.answerOf(row, hash);
    }
    throw inProgress();
  }

  /** Says that a request is still being done. A process that stops saying so loses it after 60 seconds. */
  async renew({ id, holder }: BegunRequest): Promise<void> {
    await this.db.statement(renewStatement, [id, holder]);
  }

  /** Ends a request with its answer, sealed. One that is larger than a megabyte, or that nobody has, is only remembered as given. */
  async keep({ id, holder }: BegunRequest, status: number, answer: Omit<Answer, 'status'> | undefined): Promise<void> {
    const text = answer && Buffer.from(JSON.stringify({ headers: answer.headers, body: answer.body }));
    const sealed = text && text.length <= answerBytes ? this.box.seal(text, purpose()) : null;
    await this.db.statement(keepStatement, [id, holder, status, sealed]);
  }

  /** Ends a request that was not done: the next one with its key begins anew. */
  async release({ id, holder }: BegunRequest): Promise<void> {
    await this.db.statement(releaseStatement, [id, holder]);
  }

  private answerOf(row: HeldRow, hash: Buffer): Error {
    if (!row.requestHash.equals(hash)) return problem('idempotency.key_reused');
    if (row.status === null) return inProgress();
    if (row.sealedAnswer === null) return problem('idempotency.answer_not_kept');
    const { headers, body } = JSON.parse(this.box.open(row.sealedAnswer, purpose()).toString()) as Omit<
      Answer,
      'status'
    >;
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

function inProgress(): Error {
  return problem('idempotency.in_progress', { headers: { 'Retry-After': '1' } });
}

function purpose(): string {
  return `idempotent answer ${currentTenant().id}`;
}

const heldFrom = `now() + make_interval(secs => ${heldSeconds})`;
const old = `begun_at < now() - make_interval(hours => ${keptHours}) and coalesce(held_until < now(), true)`;

const beginStatement: DoorStatement = {
  name: 'idempotency-begin',
  text: `insert into {tenant}.idempotent_request as r (id, request_hash, holder, held_until) values ($1, $2, $3, ${heldFrom})
    on conflict (id) do update set request_hash = excluded.request_hash, holder = excluded.holder, held_until = excluded.held_until,
      begun_at = now(), status = null, sealed_answer = null
    where (${old.replaceAll(/\b(begun_at|held_until)\b/g, 'r.$1')}) or (r.held_until < now() and r.request_hash = excluded.request_hash)
    returning id`,
};

const lookStatement: DoorStatement = {
  name: 'idempotency-look',
  text: `select request_hash as "requestHash", status, sealed_answer as "sealedAnswer" from {tenant}.idempotent_request where id = $1`,
};

const renewStatement: DoorStatement = {
  name: 'idempotency-renew',
  text: `update {tenant}.idempotent_request set held_until = ${heldFrom} where id = $1 and holder = $2 and status is null`,
};

const keepStatement: DoorStatement = {
  name: 'idempotency-keep',
  text: `update {tenant}.idempotent_request set held_until = null, status = $3, sealed_answer = $4
    where id = $1 and holder = $2 and status is null`,
};

const releaseStatement: DoorStatement = {
  name: 'idempotency-release',
  text: 'delete from {tenant}.idempotent_request where id = $1 and holder = $2 and status is null',
};

const forgetStatement: DoorStatement = {
  name: 'idempotency-forget',
  text: `delete from {tenant}.idempotent_request where id in (
      select id from {tenant}.idempotent_request where ${old} order by begun_at limit 1000) returning 1 as forgotten`,
};
