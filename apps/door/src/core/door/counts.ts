import type { OwnMoves } from '../journal/own-moves.js';
import { states } from '../pack/columns.js';
import type { Pack } from '../pack/pack.js';
import type { DoorState } from '../types.js';
import { lastMoveOf } from '../verdict/standing.js';

const here = { gate: null, device: null };

/**
 * People at the event: the numbers of the list, and what this device did since, at the gates where it was.
 * @param gateId where this device is: entries of earlier versions of the app do not say where they were made
 */
export function countsOf(
  pack: Pack,
  own: OwnMoves,
  gateId: string | null,
): { readonly counts: NonNullable<DoorState['counts']>; readonly inside: ReadonlyMap<string, number> } {
  const { expected, gates } = pack.head.counts;
  let { admitted, inside } = pack.head.counts;
  const perGate = new Map(pack.gates.map(({ id }, at) => [id, gates[at] ?? 0]));
  const move = (gate: string | null, by: number): void => {
    inside += by;
    if (gate !== null && perGate.has(gate)) perGate.set(gate, Math.max(0, (perGate.get(gate) ?? 0) + by));
  };
  for (const [hash, entries] of own.tickets) {
    if (!entries.some(({ facts }) => facts.eventId === pack.event.id)) continue;
    const ticket = pack.tickets.get(BigInt(`0x${hash}`));
    const listed = ticket?.state === states.inside ? 1 : ticket?.state === states.outside ? 2 : 0;
    const ownMove = own.of(hash);
    const place = ticket ? lastMoveOf(pack, ticket, ownMove, here).place : (ownMove?.place ?? 0);
    if (place === 1 && listed !== 1) move(ownMove?.gateId === undefined ? gateId : ownMove.gateId, 1);
    if (place !== 1 && listed === 1) move(ticket?.gateId ?? null, -1);
    admitted += (place === 0 ? 0 : 1) - (listed === 0 ? 0 : 1);
    for (const { facts } of own.withOthers(hash)) {
      move(facts.gateId === undefined ? gateId : facts.gateId, facts.extra);
      admitted += facts.extra;
    }
  }
  return { counts: { expected, admitted: Math.max(0, admitted), inside: Math.max(0, inside) }, inside: perGate };
}
