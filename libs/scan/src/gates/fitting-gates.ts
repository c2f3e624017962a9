import { RefusedInput } from '#kernel';
import type { Tx } from '#tenancy';
import { texts } from '../locales/scan.texts.js';

interface FoundGate {
  readonly id: string;
  readonly fits: boolean;
}

/**
 * Checks that gates exist and belong to every event or to this one, and keeps them until the transaction ends. Lists of gates have no
 * foreign key.
 * @param gatesOf ids of gates, in lower case, by the field that names them @param eventId null: gates of any event fit
 * @throws RefusedInput on the field
 */
export async function refuseUnfitGates(
  tx: Tx,
  gatesOf: Readonly<Record<string, readonly string[]>>,
  eventId: string | null,
): Promise<void> {
  const ids = [...new Set(Object.values(gatesOf).flat())];
  if (ids.length === 0) return;
  const found = await tx.query<FoundGate[]>(
    `select id, event_id is null or $2::uuid is null or event_id = $2 as fits from gate
     where id = any ($1::uuid[]) order by id for key share`,
    [ids, eventId],
  );
  const fits = new Map(found.map((gate) => [gate.id, gate.fits]));
  for (const [field, wanted] of Object.entries(gatesOf)) {
    if (wanted.some((id) => !fits.has(id))) throw new RefusedInput(field, texts.localized('gates.unknown'));
    if (wanted.some((id) => !fits.get(id))) throw new RefusedInput(field, texts.localized('gates.otherEvent'));
  }
}
