import type { DoorEvent, Gate } from '../core/types.js';

/** Milliseconds before the doors, or the start, at which the team is at the door. */
const ahead = 3 * 3_600_000;
/** Length of an event without an end, for the suggestion. */
const assumed = 240 * 60_000;

const opens = ({ doors, start }: DoorEvent): number => Math.min(doors ?? start, start) - ahead;
const ends = ({ start, end, closes }: DoorEvent): number => Math.max(end ?? start + assumed, closes ?? 0);

/** Whether the team is at the door of an event, or soon will be. @param now milliseconds since 1970 */
export const isRunning = (event: DoorEvent, now: number): boolean => opens(event) <= now && now <= ends(event);

/** The event whose doors are open, or open soon; the one that starts nearest when there are several. Null: none today. */
export function suggestedEvent(events: readonly DoorEvent[], now: number): DoorEvent | null {
  const running = events.filter((event) => isRunning(event, now));
  return running.toSorted((one, other) => Math.abs(one.start - now) - Math.abs(other.start - now))[0] ?? null;
}

/** Whether the person has to say at which gate they are. */
export function asksForGate(gates: readonly Gate[], gate: Gate | null, chosen: boolean): boolean {
  return gate === null && !chosen && gates.length > 0;
}
