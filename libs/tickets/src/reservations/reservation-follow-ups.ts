import { randomUUID } from 'node:crypto';
import { jobsInsert, jobValues, type NewJob } from '#jobs';
import { messageInsert, messageValues, type OutboxMessage } from '#webhooks';
import { answerValues, insertAnswersSql, type NewAnswer } from '../answers/answer-rows.js';
import { expiryJob } from '../booking-jobs.js';
import type { MailKind } from '../mails/mail.entity.js';
import { mailJob } from '../mails/mail-jobs.js';

/** What follows when a reservation is written. */
export interface FollowUps {
  /** The mail that is due; `jobs` contains its job. */
  readonly mail: { readonly id: string; readonly kind: MailKind } | undefined;
  /** The event that announces the reservation; undefined: it is a draft. */
  readonly message: OutboxMessage | undefined;
  readonly jobs: readonly NewJob[];
}

/**
 * The mail and the jobs of a reservation that enters its first state.
 * @param kind of the mail; undefined: none
 * @param expiresAt end of the hold; null: it is no hold
 */
export function mailAndJobsOf(reservationId: string, kind: MailKind | undefined, expiresAt: Date | null): Pick<FollowUps, 'mail' | 'jobs'> {
  const mail = kind && { id: randomUUID(), kind };
  const jobs = [
    ...(expiresAt ? [{ kind: expiryJob, subjectId: reservationId, time: { dueAt: expiresAt } }] : []),
    ...(mail ? [{ kind: mailJob, subjectId: mail.id }] : []),
  ];
  return { mail, jobs };
}

/** Offsets of the parameters of `followUpsSql` from its first one. */
const offsets = { mail: 4, message: 6, jobs: 11 };

/** The number of the parameter with the tenant's id. @param first as for `followUpsSql` */
export const tenantParameter = (first: number): number => first + offsets.message;

/**
 * SQL of data-modifying CTEs that insert answers, mail, webhook event and jobs of the reservation `$1`. The caller has the workers
 * notified of the message and the jobs.
 * @param first the number of its first parameter; `followUpValues` returns the values
 * @param recipient SQL of the buyer's address
 * @param rule name of a CTE that has a row when they may be inserted; default: always
 */
export function followUpsSql(first: number, recipient: string, rule?: string): string {
  const [mailId, kind] = [`$${first + offsets.mail}`, `$${first + offsets.mail + 1}`];
  return `answered as (${insertAnswersSql(first, '$1', 'null', rule)}),
    mailed as (
      insert into mail (id, kind, reservation_id, recipient)
      select ${mailId}::uuid, ${kind}::text, $1::uuid, ${recipient}::text
      ${rule ? `from ${rule}` : ''} where ${mailId}::uuid is not null),
    announced as (${messageInsert(tenantParameter(first), rule)}),
    planned as (${jobsInsert(first + offsets.jobs, rule)})`;
}

/** The values of the parameters of `followUpsSql`. */
export function followUpValues(answers: readonly NewAnswer[], { mail, message, jobs }: FollowUps): unknown[] {
  return [...answerValues(answers), mail?.id, mail?.kind, ...messageValues(message), ...jobValues(jobs)];
}
