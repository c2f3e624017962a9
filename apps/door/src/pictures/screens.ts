import type { Sheet } from '../app/model.js';
import type { CameraStatus } from '../camera/camera.js';
import { startingState } from '../core/door/store.js';
import type { Conflict, DoorEvent, DoorState, FoundTicket } from '../core/types.js';
import { pictureResults, pictureTime } from './results.js';

const minute = 60_000;
const hour = 60 * minute;

const event: DoorEvent = {
  id: 'e1',
  name: 'Nuit des musiciens',
  place: 'Grande salle',
  start: pictureTime + 18 * minute,
  end: pictureTime + 4 * hour,
  doors: pictureTime - 42 * minute,
  closes: pictureTime + 2 * hour,
};
const later = (id: string, name: string, hours: number): DoorEvent => ({
  ...event,
  id,
  name,
  place: 'Hall C',
  start: pictureTime + hours * hour,
  end: pictureTime + (hours + 3) * hour,
});
const gates = [
  { id: 'g1', name: 'Hall A', inside: 143 },
  { id: 'g2', name: 'Hall B, côté jardin', inside: 68 },
];
const conflict = (id: string, decision: string | null): Conflict => ({
  id,
  reference: 'K7QF2M',
  ticket_hash: '',
  first: { at: new Date(pictureTime - 9 * minute).toISOString(), gate: 'Hall A', device_name: 'Pixel 7', error_ms: 40 },
  later: { at: new Date(pictureTime - 7 * minute).toISOString(), gate: 'Hall B, côté jardin', device_name: 'iPhone', error_ms: 0 },
  decision,
});
const wrongEvent: Conflict = {
  id: 'c3',
  reference: '7D5730A7',
  event: { name: 'Bal folk', start: new Date(pictureTime + 1440 * minute).toISOString() },
  entry: { at: new Date(pictureTime - 5 * minute).toISOString(), gate: 'Hall A', device_name: 'Pixel 7', error_ms: 40 },
  decision: null,
};

/** A phone at the door of an event. */
export const openState: DoorState = {
  ...startingState,
  phase: 'open',
  tenantName: 'La Lune',
  timeZone: 'Europe/Paris',
  deviceName: 'Pixel 7',
  events: [event, later('e2', 'Bal folk', 26), later('e3', 'Concert des élèves du conservatoire', 170)],
  event,
  gates,
  gate: gates[0] ?? null,
  counts: { expected: 320, admitted: 214, inside: 211 },
  network: { kind: 'live', listAt: pictureTime - minute, unsent: 0 },
  allowance: 10,
  persistent: true,
};
const choosing: DoorState = { ...openState, phase: 'choosing', event: null, gate: null, gates: [], counts: null };
const unpaired: DoorState = { ...startingState, phase: 'unpaired' };
const supervisor: DoorState = { ...openState, role: 'supervisor' };
const offline: DoorState['network'] = { kind: 'offline', listAt: pictureTime - 37 * minute, unsent: 37 };

const found = (id: string, firstName: string, lastName: string, state: FoundTicket['state']): FoundTicket => ({
  id,
  firstName,
  lastName,
  email: `${firstName[0]}•••@e•••.org`.toLowerCase(),
  reference: 'K7QF2M',
  price: 'Tarif réduit',
  state,
});
/** What every search finds. */
export const foundTickets: readonly FoundTicket[] = [
  found('t1', 'Maëlle', 'Guyonvarch', 'expected'),
  found('t2', 'Yann', 'Guyonvarch', 'inside'),
  found('t3', 'Anne-Sophie', 'Guyonvarch-Kerleroux', 'not_valid'),
];

export interface PictureScreen {
  readonly name: string;
  readonly state: DoorState;
  readonly camera?: CameraStatus;
  /** The phone has several lenses and a torch. */
  readonly tools?: boolean;
  /** The code of the address. */
  readonly pairing?: string;
  readonly sheet?: Sheet;
  /** Results by name, the last one first. */
  readonly recent?: readonly string[];
  /** The result on the screen. */
  readonly shown?: string;
  /** The opened code is not that of the phone. */
  readonly asksAgain?: boolean;
  readonly correction?: string;
  readonly failure?: string;
  readonly updateReady?: boolean;
  /** How long ago the results came, in milliseconds. */
  readonly ago?: number;
}

/** The result of this name. */
export const resultOf = (name: string): (typeof pictureResults)[number]['result'] => {
  const known = pictureResults.find((one) => one.name === name);
  if (!known) throw new Error(`no result ${name}`);
  return known.result;
};

/** Every screen that the app can show, by a name for its picture. */
export const pictureScreens: readonly PictureScreen[] = [
  { name: 'starting', state: startingState },
  { name: 'other-tab', state: { ...startingState, otherTab: true } },
  { name: 'starting-failed', state: startingState, failure: 'storage' },
  { name: 'pairing', state: unpaired },
  { name: 'pairing-link', state: unpaired, pairing: 'K7QF2MXD9A' },
  { name: 'pairing-failed', state: unpaired, failure: 'pairing.expired' },
  { name: 'choice', state: choosing },
  { name: 'choice-none', state: { ...choosing, events: [] }, updateReady: true },
  { name: 'choice-offline', state: { ...choosing, network: offline }, updateReady: true, failure: 'offline' },
  { name: 'gate', state: { ...openState, gate: null } },
  { name: 'scanning', state: openState, recent: ['go', 'already_scanned'] },
  { name: 'scanning-tools', state: supervisor, tools: true, recent: ['go'], ago: 60_000 },
  { name: 'scanning-offline', state: { ...openState, network: offline }, recent: ['go-offline'] },
  { name: 'scanning-exit', state: { ...openState, direction: 'exit', network: { ...offline, kind: 'slow' } }, recent: ['out'] },
  {
    name: 'scanning-busy',
    state: { ...supervisor, conflicts: [conflict('c1', null)], network: offline },
    tools: true,
    recent: ['go'],
    correction: 'cancelled',
    updateReady: true,
  },
  { name: 'practice', state: { ...openState, practice: true } },
  { name: 'camera-denied', state: openState, camera: 'denied' },
  { name: 'camera-missing', state: openState, camera: 'missing' },
  { name: 'camera-resting', state: openState, camera: 'resting' },
  { name: 'result-go', state: openState, shown: 'go' },
  { name: 'result-stop', state: openState, shown: 'already_scanned' },
  { name: 'result-ask', state: openState, shown: 'not_in_list' },
  { name: 'result-group', state: openState, shown: 'go-group' },
  { name: 'result-later', state: supervisor, shown: 'go', ago: 60_000 },
  { name: 'kiosk', state: { ...openState, role: 'kiosk' } },
  { name: 'kiosk-go', state: { ...openState, role: 'kiosk' }, shown: 'go-notes' },
  { name: 'kiosk-ask', state: { ...openState, role: 'kiosk' }, shown: 'already_scanned' },
  { name: 'locked', state: { ...openState, phase: 'locked' } },
  { name: 'closed', state: { ...openState, phase: 'locked', opensAt: pictureTime + 2 * hour } },
  { name: 'wiped', state: { ...unpaired, phase: 'wiped' } },
  { name: 'sheet-settings', state: supervisor, tools: true, sheet: { kind: 'settings' } },
  { name: 'pair-again', state: openState, pairing: 'K7QF2MXD9A', asksAgain: true },
  { name: 'sheet-search', state: supervisor, sheet: { kind: 'search' } },
  { name: 'sheet-type', state: openState, sheet: { kind: 'search' } },
  {
    name: 'sheet-recent',
    state: openState,
    sheet: { kind: 'recent' },
    recent: ['go', 'go-group', 'already_scanned', 'not_in_list', 'just'],
  },
  { name: 'sheet-gates', state: openState, sheet: { kind: 'gates' } },
  {
    name: 'sheet-conflicts',
    state: { ...openState, conflicts: [conflict('c1', null), wrongEvent, conflict('c2', 'stay')] },
    sheet: { kind: 'conflicts' },
  },
  { name: 'sheet-undo', state: supervisor, sheet: { kind: 'undo', result: resultOf('go') }, failure: 'offline' },
];
