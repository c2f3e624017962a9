import type { DoorEngine, DoorState, Reason, ScanResult, Verdict } from '../core/types.js';
import { DoorError } from '../core/types.js';

/** Stands in for the engine until it is built: every result can be had by its text (`stop already_scanned`). */
export const practiceTickets = [
  { kind: 'go', text: 'go' },
  { kind: 'used', text: 'stop already_scanned' },
  { kind: 'cancelled', text: 'stop cancelled' },
  { kind: 'other_event', text: 'stop wrong_event' },
  { kind: 'group', text: 'go group' },
] as const;

const hour = 3_600_000;
const now = Date.now();
const event = {
  id: 'e1',
  name: 'Nuit des musiciens',
  place: 'Grande salle',
  start: now + hour,
  end: now + 5 * hour,
  doors: now,
  closes: null,
};
const gates = [
  { id: 'g1', name: 'Hall A', inside: 61 },
  { id: 'g2', name: 'Hall B', inside: 42 },
];

export function createStandIn(): DoorEngine & { readStrokes(strokes: readonly { key: string }[]): Promise<string> } {
  const params = new URLSearchParams(location.search);
  let state: DoorState = {
    phase: 'starting',
    tenantName: 'La Lune',
    deviceName: 'Pixel 7',
    role: (params.get('role') ?? 'supervisor') as DoorState['role'],
    events: [],
    event: null,
    gates: [],
    gate: null,
    direction: 'entry',
    counts: null,
    network: { kind: (params.get('network') ?? 'live') as 'live', listAt: now, unsent: Number(params.get('unsent') ?? 0) },
    conflicts: [],
    allowance: 10,
    practice: false,
    opensAt: params.get('phase') === 'locked' ? now + 2 * hour : null,
    updateReady: false,
    persistent: true,
  };
  const listeners = new Set<() => void>();
  const change = (change: Partial<DoorState>): void => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const result = (text: string): ScanResult => {
    const [verdict, reason] = text.split(' ') as [Verdict, string?];
    const group = reason === 'group';
    return {
      scanId: crypto.randomUUID(),
      verdict: ['go', 'out', 'ask', 'stop', 'just'].includes(verdict) ? verdict : 'stop',
      reason: group ? null : ((reason ?? (verdict.length > 4 ? 'malformed' : null)) as Reason | null),
      decidedBy: 'server',
      provisional: false,
      at: Date.now(),
      direction: state.direction,
      holder: { firstName: 'Ada', lastName: 'Lovelace' },
      product: 'Concert',
      price: 'Tarif réduit',
      notes: text.includes('note') || verdict === 'go' ? ['Bracelet rouge'] : [],
      age: reason === 'age' ? 18 : null,
      previous:
        ['already_scanned', 'double_entry', 'no_reentry'].includes(reason ?? '') || verdict === 'just'
          ? { at: Date.now() - 4000, gate: 'Hall B', device: 'Pixel 8' }
          : null,
      group: group ? { count: 5, inside: 1, expected: 4 } : null,
      nextStep: null,
      other: {
        event: reason === 'wrong_event' ? 'Bal folk' : null,
        place: reason === 'wrong_event' ? 'Hall C' : null,
        startsAt: reason === 'wrong_event' ? now + 24 * hour : null,
        gates: reason === 'wrong_gate' ? ['Hall B', 'Hall D'] : [],
        opensAt: reason === 'too_early' ? now + hour : null,
      },
      undoUntil: ['go', 'out'].includes(verdict) ? Date.now() + 10_000 : null,
      practice: state.practice,
    };
  };
  return {
    get state() {
      return state;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onCorrection: () => () => undefined,
    start: async () => change({ phase: (params.get('phase') ?? 'unpaired') as DoorState['phase'] }),
    pair: async (code) => {
      if (code.length !== 43) throw new DoorError('pairing.unknown', '');
      change({ phase: 'choosing' });
    },
    loadEvents: async () =>
      change({ events: [event, { ...event, id: 'e2', name: 'Bal folk', start: now + 48 * hour, doors: null, end: null }] }),
    open: async () =>
      change({
        phase: 'open',
        event,
        gates,
        counts: { expected: 210, admitted: 103, inside: 98 },
        conflicts: [
          {
            id: 'c1',
            reference: 'A1B2C3D4',
            first: { at: now, gate: 'Hall A', device: 'Pixel 7' },
            later: { at: now + 60_000, gate: 'Hall B', device: 'Pixel 8' },
            decision: null,
          },
        ],
      }),
    changeGate: async (id) => change({ gate: gates.find((gate) => gate.id === id) ?? null }),
    turn: (direction) => change({ direction }),
    close: async () => change({ phase: 'choosing', event: null, gate: null }),
    scan: async (text) => result(text),
    admit: async () => result('go'),
    admitGroup: async (_id, tickets) => ({ ...result('go group'), group: { count: 5, inside: 1 + tickets, expected: 4 - tickets } }),
    undo: async () => undefined,
    search: async () => [
      {
        id: 't1',
        code: 'go',
        firstName: 'Ada',
        lastName: 'Lovelace',
        email: 'ada@example.org',
        reference: 'A1B2C3D4',
        price: 'Plein tarif',
        state: 'expected',
      },
      {
        id: 't2',
        code: 'stop already_scanned',
        firstName: 'Grace',
        lastName: 'Hopper',
        email: null,
        reference: 'B1B2C3D4',
        price: 'Plein tarif',
        state: 'inside',
      },
    ],
    practise: (practice) => change({ practice }),
    unpair: async () => change({ phase: 'unpaired', event: null }),
    readStrokes: async (strokes) => strokes.map(({ key }) => key).join(''),
  };
}
