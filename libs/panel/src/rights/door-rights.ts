import type { PanelRights } from '#panel-kit';

/**
 * What people need for the resources of the door. Who only follows sees entries: devices, codes, gates and double entries are the work of
 * who decides.
 */
export const doorRights: PanelRights = {
  'scan-log': {
    see: 'door.follow',
    actions: { door: 'door.follow', guests: 'reservation.checkIn' },
    event: 'eventId',
  },
  'double-entries': {
    see: 'door.decide',
    actions: { decide: 'door.decide' },
    values: {
      history: 'see',
      ticketEvent: 'see',
      ticketEventStart: 'see',
      firstGate: 'see',
      firstDevice: 'see',
      firstErrorMs: 'see',
      laterGate: 'see',
      laterDevice: 'see',
      laterErrorMs: 'see',
    },
    event: 'eventId',
    scoped: ['decide'],
    wide: ['ticketEvent', 'ticketEventId', 'ticketEventStart', 'history'],
  },
  devices: {
    see: 'door.decide',
    create: 'door.set',
    change: 'door.set',
    actions: {
      pair: 'door.set',
      sheet: 'door.set',
      move: 'door.set',
      quarantine: 'door.decide',
      lock: 'door.set',
      unlock: 'door.set',
      wipe: 'door.set',
      archive: 'door.set',
      restore: 'door.set',
    },
    isNamed: true,
  },
  'team-codes': {
    see: 'door.decide',
    create: 'door.set',
    change: 'door.set',
    actions: { code: 'door.set', sheet: 'door.set', end: 'door.set' },
    values: { devices: 'see' },
    isNamed: true,
  },
  gates: { see: 'door.decide', create: 'door.set', change: 'door.set', remove: 'door.set', event: 'eventId', isNamed: true },
  'gate-rules': { see: 'door.decide', create: 'door.set', remove: 'door.set' },
};
