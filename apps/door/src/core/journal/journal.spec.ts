import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { DoorDatabase } from '../storage/database.js';
import { Vault } from '../storage/vault.js';
import type { EntryFacts } from './entry.js';
import { ForkError, Journal, type Draft } from './journal.js';

const facts: Omit<EntryFacts, 'scanId'> = {
  kind: 'scan',
  eventId: 'event',
  ticket: null,
  direction: 'entry',
  moved: true,
  before: 0,
  extra: 0,
  unlisted: false,
  at: 1,
  undoes: null,
};

const draft = (scanId: string): Draft => ({
  facts: { ...facts, scanId },
  line: { scanId, mode: 'offline', position: null, deviceTime: 1, clockOffsetMs: 0, clockErrorMs: 0 },
});

/** The journal as one tab of the browser has it. */
async function tab(name: string): Promise<Journal> {
  const db = new DoorDatabase(name);
  const journal = new Journal(db, new Vault(db, 'journal'));
  await journal.load();
  return journal;
}

const ids = (journal: Journal): string[] => journal.entries.map((entry) => entry.facts.scanId);

it('is continued by one tab: what another one appends is taken back as a whole', async () => {
  const name = randomUUID();
  const first = await tab(name);
  await first.append([draft('one')]);
  const second = await tab(name);
  await first.append([draft('two')]);
  await expect(second.append([draft('three'), draft('four')])).rejects.toThrow(ForkError);
  expect(ids(await tab(name))).toEqual(['one', 'two']);
  await second.load();
  await second.append([draft('three')]);
  const lines = (await tab(name)).entries.map(({ line }) => JSON.parse(line ?? '') as { sequence: number; previous?: string });
  expect(lines.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
  expect(new Set(lines.map(({ previous }) => previous)).size).toBe(3);
});
