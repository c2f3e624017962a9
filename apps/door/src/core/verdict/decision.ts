import type { Place } from '../journal/entry.js';
import type { PackTicket } from '../pack/columns.js';
import type { Pack } from '../pack/pack.js';
import type { Passage, Reason, Verdict } from '../types.js';

/** What the list of the event says about an attempt. */
export interface Decision {
  readonly verdict: Verdict;
  readonly reason: Reason | null;
  readonly previous: Passage | null;
  readonly group: { readonly count: number; readonly inside: number; readonly expected: number } | null;
  readonly nextStep: string | null;
  /** Names of the gates that the ticket may pass. */
  readonly gates: readonly string[];
  readonly opensAt: number | null;
  /** The device that lets these tickets in while there is no server, and its gate. */
  readonly holder: { readonly device: string | null; readonly gate: string | null } | null;
  /** Where the ticket was. */
  readonly before: Place;
  /** Whether the ticket is in the list. */
  readonly ticket: PackTicket | null;
}

/** Where a ticket is, and since when, by the list and by what this device did. */
export interface Standing {
  readonly place: Place;
  /** Milliseconds since 1970; null: it never moved. */
  readonly at: number | null;
  readonly passage: Passage | null;
}

/** The names that a list has for ids. */
export function passageIn(pack: Pack, ticket: PackTicket): Passage | null {
  if (ticket.moment === 0) return null;
  return {
    at: ticket.moment * 1000,
    gate: pack.gates.find(({ id }) => id === ticket.gateId)?.name ?? null,
    device: (ticket.deviceId && pack.devices.get(ticket.deviceId)) || null,
  };
}
