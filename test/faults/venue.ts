import { call } from './calls.js';
import type { Stack } from './stack.js';

/** One venue with an event of unlimited capacity, and paired devices. */
export interface Venue {
  readonly host: string;
  readonly tenant: string;
  readonly authorization: string;
  readonly eventId: string;
  readonly offerId: string;
  readonly devices: readonly { readonly id: string; readonly authorization: string }[];
}

/** A running installation. */
type VenueHome = Pick<Stack, 'cli' | 'port' | 'webhooks'>;

/** Creates the venue by command line and API, as an operator and staff do. */
export async function createVenue(stack: VenueHome, deviceCount: number, tenant = 'faults'): Promise<Venue> {
  const host = `${tenant}.localhost`;
  await stack.cli('tenant', 'create', '--slug', tenant, '--name', 'Faults', '--owner', 'admin@localhost');
  const key = await stack.cli('key', 'create', '--tenant', tenant, '--name', 'Faults', '--owner', 'admin@localhost', '--scopes', 'all');
  const authorization = `Api-Key ${key.trim()}`;
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await call({ port: stack.port, host, method: 'POST', path, body, headers: { authorization } });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const event = await post('/api/v2/events/', {
    name: 'Night of faults',
    startDate: new Date(Date.now() + 3_600_000).toISOString(),
    maximumAttendeeCapacity: 1_000_000,
  });
  const eventId = String(event['identifier']);
  const product = await post('/api/v2/products/', {
    name: 'Ticket',
    category: 'Ticket',
    offers: [{ name: 'Full price', price: '5.00' }],
    isRelatedTo: [eventId],
  });
  const [offer] = product['offers'] as { identifier: string }[];
  await post('/api/v2/webhook-endpoints/', { url: stack.webhooks.url, types: ['*'] });
  const devices = [];
  for (let number = 1; number <= deviceCount; number += 1) devices.push(await pairDevice(stack, host, `Door ${number}`));
  return { host, tenant, authorization, eventId, offerId: offer?.identifier ?? '', devices };
}

async function pairDevice(stack: VenueHome, host: string, name: string): Promise<{ id: string; authorization: string }> {
  const tenant = host.split('.')[0] as string;
  const written = await stack.cli('device', 'create', '--tenant', tenant, '--name', name, '--json');
  const { pairing_url: url, device_uuid: id } = JSON.parse(written) as { pairing_url: string; device_uuid: string };
  const { status, body } = await call({ port: stack.port, host, method: 'GET', path: new URL(url).pathname });
  if (status !== 200) throw new Error(`pairing: ${status} ${JSON.stringify(body)}`);
  return { id, authorization: `Api-Key ${String(body['api_key'])}` };
}
