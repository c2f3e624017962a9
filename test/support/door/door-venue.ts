import { GatesService, ScanningDevicesService, type DeviceRole } from '#scan';
import { ReservationChangesService } from '#tickets';
import type { NewEvent } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { newDevice, newEvent, newTicket, newTickets, type BuiltTicket, type NewTicket, type PairedDevice } from '../builders.js';
import { scanApi } from '../scan-api.js';
import { startTestApp, type TestApp } from '../test-app.js';
import { FaultyProxy } from './faulty-proxy.js';

type DoorEvent = Awaited<ReturnType<typeof newEvent>>;

/** First name, last name and address of the guests: they must not be found on a phone. */
export const guest = { firstName: 'Zephyrine', lastName: 'Martin', email: 'ada@example.org' };

/** A venue with one event, two gates and one device of the scan API, behind a network that may fail. */
export interface DoorVenue {
  readonly test: TestApp;
  readonly tenant: TenantIdentity;
  readonly proxy: FaultyProxy;
  /** Origin of the app, through the network. */
  readonly origin: string;
  readonly event: DoorEvent;
  readonly gates: { readonly main: string; readonly balcony: string };
  /** A device without the app: an elsewhere. */
  readonly other: PairedDevice;
  /** Calls of the scan API by that device. */
  readonly api: ReturnType<typeof scanApi>;
  /** Creates a device. @returns the link that pairs a phone with it */
  pairingLink(name?: string, role?: DeviceRole): Promise<string>;
  newEvent(input?: Partial<NewEvent>): Promise<DoorEvent>;
  ticket(input?: Partial<NewTicket>): Promise<BuiltTicket>;
  tickets(count: number): Promise<BuiltTicket[]>;
  cancel(ticket: BuiltTicket): Promise<void>;
  /** Accepted entries and exits of a ticket in the scan log, oldest first. */
  movements(ticket: BuiltTicket): Promise<string[]>;
  close(): Promise<void>;
}

/** @param input of the event @param environment settings of the server */
export async function openDoorVenue(input: Partial<NewEvent> = {}, environment: Readonly<Record<string, string>> = {}): Promise<DoorVenue> {
  const test = await startTestApp({ environment });
  const proxy = await FaultyProxy.open(test.port);
  const tenant = await test.newTenant({ name: 'La Lune', language: 'en' });
  const inside = <Result>(work: () => Promise<Result>): Promise<Result> => test.inside(tenant, work);
  const event = await newEvent(test, tenant, { name: 'Tonight', startsAt: new Date(), ...input });
  const newGate = async (name: string): Promise<string> => (await inside(() => test.app.get(GatesService).create({ name }))).id;
  const gates = { main: await newGate('Main door'), balcony: await newGate('Balcony') };
  const other = await newDevice(test, tenant, 'Door 9');
  const api = scanApi(() => ({ test, venue: tenant, device: other }));
  const origin = `http://${tenant.host}:${proxy.port}`;
  return {
    test,
    tenant,
    proxy,
    origin,
    event,
    gates,
    other,
    api,
    pairingLink: async (name = 'Door 1', role = 'scan') => {
      const { token } = await inside(() => test.app.get(ScanningDevicesService).create(name, { role }));
      return `${origin}/door/#pair=${token}`;
    },
    newEvent: (more) => newEvent(test, tenant, more),
    ticket: (more = {}) => newTicket(test, tenant, { event, firstName: guest.firstName, ...more }),
    tickets: (count) => newTickets(test, tenant, { event, firstName: guest.firstName, count }),
    cancel: async ({ reservationId }) => {
      await inside(() => test.app.get(ReservationChangesService).cancel(reservationId, { reason: 'staff' }));
    },
    movements: async ({ id }) =>
      (await api.log(id)).map(({ outcome }) => outcome).filter((outcome) => ['accepted', 'left', 'readmitted'].includes(outcome)),
    close: async () => {
      await proxy.close();
      await test.close();
    },
  };
}
