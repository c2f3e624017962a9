import { databaseNow, toCents } from '#kernel';
import type { SessionData } from 'express-session';
import { currentPanelRequest } from '../request/panel-request.js';
import type { PanelEntry } from '../resource/panel-entry.js';
import type { Proofs } from '../resource/resource-rights.js';
import type { PanelRow } from '../resource/panel-source.js';

/** Minutes after a sign-in, or a proof, for which nobody is asked again. */
const proofMinutes = 15;
/** What is paid back in one step without being asked again, at most. */
const unprovenAmount = '100.00';

/** Somebody who is signed in must prove again to be the person: 403. */
export class ProofNeeded extends Error {
  readonly status = 403;
}

/** Whether the person of a session proved a short time ago to be the one. */
export function hasProven({ provenAt = 0 }: Pick<SessionData, 'provenAt'>): boolean {
  return databaseNow().getTime() - provenAt < proofMinutes * 60_000;
}

/** @throws ProofNeeded when the action needs a proof, and the last one is too old */
export async function demandProof({ source, proofs }: PanelEntry, action: string, id?: string): Promise<void> {
  const needed = proofs && Object.hasOwn(proofs, action) ? proofs[action] : undefined;
  if (needed === undefined || currentPanelRequest().isProven === true) return;
  if (needed !== 'always') {
    const row = id === undefined ? null : await source.findOne(id);
    const amount = row?.[needed.above];
    if (typeof amount === 'string' && toCents(amount) <= toCents(unprovenAmount)) return;
  }
  throw new ProofNeeded();
}

/**
 * A resource whose actions ask again for a proof. The one for `exports` is that of printed lists, too.
 * @throws Error naming what does not exist, or a file with addresses of people that asks for no proof
 */
export function withProofs(plain: PanelEntry, proofs: Proofs | undefined): PanelEntry {
  const { source, actions, pages, exports, prints } = plain;
  if (!proofs?.['exports'] && (prints || exportsAddresses(plain))) throw new Error(`${source.id}: files of the list ask for no proof`);
  if (!proofs) return plain;
  const { create, update, remove } = source;
  const own = { new: create, edit: update, delete: remove, exports: exports ?? prints };
  for (const [name, needed] of Object.entries(proofs)) {
    const isThere = own[name as keyof typeof own] ?? actions?.[name]?.act ?? pages?.[name]?.act;
    const isKnown = needed === 'always' || source.properties.some((property) => property.name === needed.above);
    if (!isThere || !isKnown) throw new Error(`${source.id}: the proof for ${name} fits nothing`);
  }
  const entry = { ...plain, proofs };
  return {
    ...entry,
    source: {
      ...source,
      ...(create && { create: async (values: PanelRow) => demandProof(entry, 'new').then(() => create(values)) }),
      ...(update && { update: async (id: string, values: PanelRow) => demandProof(entry, 'edit', id).then(() => update(id, values)) }),
      ...(remove && { remove: async (id: string) => demandProof(entry, 'delete', id).then(() => remove(id)) }),
    },
    ...(actions && {
      actions: mapped(actions, (name, action) => {
        const { act } = action;
        return act
          ? { ...action, act: async (id: string, values: PanelRow) => demandProof(entry, name, id).then(() => act(id, values)) }
          : action;
      }),
    }),
    ...(pages && {
      pages: mapped(pages, (name, page) => {
        const { act } = page;
        return act ? { ...page, act: async (values: PanelRow) => demandProof(entry, name).then(() => act(values)) } : page;
      }),
    }),
  };
}

const exportsAddresses = ({ source, exports = [] }: PanelEntry): boolean =>
  exports.some(({ name }) => /email/i.test(name) || source.properties.some((one) => one.name === name && one.type === 'email'));

const mapped = <Value>(values: Readonly<Record<string, Value>>, change: (name: string, value: Value) => Value): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(name, value)]));
