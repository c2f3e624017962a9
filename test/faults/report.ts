import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import type { Verdict } from './checks.js';
import type { Window } from './load.js';
import type { Programs } from './programs.js';

export interface Row {
  readonly fault: string;
  /** The reason why it was skipped. */
  readonly skipped?: string;
  readonly window?: Window;
  readonly verdict?: Verdict;
  readonly unexpected?: readonly string[];
  readonly note?: string | undefined;
}

const headings = [
  'Fault',
  'Requests',
  'Bookings',
  'Entries',
  'Lost',
  'Twice',
  'Audit',
  'Without service',
  'Errors',
  'Webhooks again',
  'Mails again',
  'Note',
];

/** Renders the results as a Markdown table, with the date and the machine above it. */
export function report(rows: readonly Row[], programs: Programs): string {
  const lines = [headings, headings.map(() => '---'), ...rows.map(cells)].map((row) => `| ${row.join(' | ')} |`);
  return [machine(programs), '', ...lines].join('\n');
}

/** Violations: lost or duplicated entries, wrong counters, and responses that no fault explains. */
export function violations({ fault, verdict, unexpected = [] }: Row): string[] {
  if (!verdict) return [];
  const { lostBookings, lostEntries, bookedTwice, enteredTwice, auditAgrees, webhooksMissing, mailsMissing } = verdict;
  const found = { lostBookings, lostEntries, bookedTwice, enteredTwice, webhooksMissing, mailsMissing };
  return [
    ...Object.entries(found).flatMap(([name, count]) => (count > 0 ? [`${fault}: ${name} ${count}`] : [])),
    ...(auditAgrees ? [] : [`${fault}: audit disagrees`]),
    ...unexpected.map((what) => `${fault}: ${what}`),
  ];
}

function cells({ fault, skipped, window, verdict, unexpected = [], note = '' }: Row): string[] {
  if (!window || !verdict) return [fault, ...headings.slice(2).map(() => ''), `left out: ${skipped}`];
  const errors = Object.entries(window.errors).map(([kind, count]) => `${count} × ${kind}`);
  const notes = [
    note,
    verdict.webhooksMissing > 0 ? `${verdict.webhooksMissing} webhooks missing` : '',
    verdict.mailsMissing > 0 ? `${verdict.mailsMissing} mails missing` : '',
    unexpected.length > 0 ? `${unexpected.length} unexpected answers` : '',
  ];
  return [
    fault,
    String(window.requests),
    String(window.bookings),
    String(window.entries),
    String(verdict.lostBookings + verdict.lostEntries),
    String(verdict.bookedTwice + verdict.enteredTwice),
    verdict.auditAgrees ? 'agrees' : 'differs',
    `${window.withoutService.toFixed(1)} s`,
    errors.join(', ') || 'none',
    String(verdict.webhooksAgain),
    String(verdict.mailsAgain),
    notes.filter(Boolean).join('; '),
  ];
}

function machine({ haproxy, pgbouncerVersion, postgresVersion }: Programs): string {
  const [cpu] = cpus();
  const date = new Date().toISOString().slice(0, 16).replace('T', ' ');
  const proxy = /version ([\d.]+)/i.exec(execFileSync(haproxy, ['-v'], { encoding: 'utf8' }))?.[1];
  const pooler = `${Math.trunc(pgbouncerVersion / 100)}.${pgbouncerVersion % 100}`;
  return [
    `${date} UTC, ${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}`,
    `Node.js ${process.versions.node}, PostgreSQL ${postgresVersion}, PgBouncer ${pooler}, HAProxy ${proxy}`,
  ].join('; ');
}
