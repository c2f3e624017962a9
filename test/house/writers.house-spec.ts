import { describe, expect, it } from '@jest/globals';
import { sourcesBelow } from '../support/sources.js';

/** Libs that write rows of a table that belongs to another lib, and why. A new writer belongs into the lib of the table. */
const others: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  event: { tickets: 'the counter of booked places' },
  event_series: { tickets: 'the places that dates share, and their counter' },
  event_price: { tickets: 'the counter of sold tickets of a price and event' },
  price: { tickets: 'the counter of sold goods and memberships' },
  ticket: {
    scan: 'what happens at the door: scanned, handed out, left',
    selling: 'bookings, drafts and their completion',
    holders: 'names and given tickets, erasure',
  },
  reservation: {
    selling: 'bookings, drafts and their completion',
    holders: 'corrections of addresses, erasure',
  },
  reservation_option: { selling: 'bookings and drafts' },
  membership: { tickets: 'the signing key of a new code', holders: 'corrections of addresses, erasure' },
  membership_renewal: { holders: 'erasure' },
  waiting_entry: { tickets: 'the end of an offer', selling: 'the completed draft of an offer', holders: 'erasure' },
  verified_email: { holders: 'erasure' },
  answer: { holders: 'erasure' },
  mail: { notices: 'what became of a mail', holders: 'corrections of addresses, erasure' },
  job: { selling: 'the statement that completes a draft ends the job of its hold', tenancy: 'an import' },
  chore: { tenancy: 'a transaction that committed wakes the workers' },
  outbox: { tenancy: 'an import, and the removal of a tenant' },
  webhook_queue: { tenancy: 'an import' },
  gift_card: { holders: 'erasure' },
  customer: { holders: 'erasure' },
  configuration: { tenancy: 'the profile of a new tenant' },
};

// Migrations are never changed; the demo writes a content of its own.
const sources = sourcesBelow(['libs'], /(?<!\.spec)\.ts$/)
  .filter(({ path }) => !path.includes('/migrations/') && !path.startsWith('libs/demo/'))
  .map(({ path, code }) => ({ lib: path.split('/')[1] as string, text: code }));

/** Tables by the class of their entity. */
const entities = new Map(
  sources.flatMap(({ lib, text }) =>
    [...text.matchAll(/@Entity\(([^)]*)\)[\s\S]{0,400}?export class (\w+)/g)].map(([, options = '', name = '']) => {
      const table = /name: '(\w+)'/.exec(options)?.[1] ?? /'(\w+)'/.exec(options)?.[1] ?? name;
      return [name, { table, lib }] as const;
    }),
  ),
);
const owners = new Map([...entities.values()].map(({ table, lib }) => [table, lib]));

/** The tables whose rows a source inserts, updates or deletes. */
function writtenBy({ text }: { readonly text: string }): string[] {
  const statements = text.matchAll(/\b(?:insert into|update|delete from) (?:\{tenant\}\.|shared\.)?([a-z_]+)\b/g);
  const calls = text.matchAll(/\.(?:insert|update|delete|save|upsert)\((\w+),/g);
  return [...[...statements].map(([, table]) => table), ...[...calls].map(([, name]) => entities.get(name as string)?.table)].filter(
    (table): table is string => table !== undefined && owners.has(table),
  );
}

describe('the rows of a table', () => {
  const foreign = sources.flatMap((source) =>
    writtenBy(source)
      .filter((table) => owners.get(table) !== source.lib)
      .map((table) => `${table} ${source.lib}`),
  );

  it('belong to a lib', () => {
    for (const table of ['event', 'ticket', 'reservation', 'payment', 'tenant']) expect(owners.has(table)).toBe(true);
  });

  it('are written by that lib, and by others only for the listed reasons', () => {
    const allowed = Object.entries(others).flatMap(([table, libs]) => Object.keys(libs).map((lib) => `${table} ${lib}`));
    expect([...new Set(foreign)].toSorted()).toEqual(allowed.toSorted());
  });
});
