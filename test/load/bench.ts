/** `npm run bench [case …]`: each case measures the program and a baseline in alternating rounds and prints ratios. */
import { runAgendaBench } from './agenda-bench.js';
import { runBookingsBench, runHoldsBench } from './booking-bench.js';
import { runDoorBench } from './door-bench.js';
import { runEventsBench } from './events-bench.js';
import { runMailBench } from './mail-bench.js';
import { runNeighbourBench } from './neighbour-bench.js';
import { runPackBench } from './pack-bench.js';
import { runReservationsBench } from './reservations-bench.js';
import { runRushBench } from './rush-bench.js';
import { runScanBench } from './scan-bench.js';
import { runQueueBench } from './queue-bench.js';
import { runTenantBench } from './tenant-bench.js';
import { runTenantsBench } from './tenants-bench.js';
import { runWebhookBench } from './webhook-bench.js';

const cases: Readonly<Record<string, () => Promise<void>>> = {
  scan: runScanBench,
  tenant: runTenantBench,
  tenants: runTenantsBench,
  webhooks: runWebhookBench,
  queue: runQueueBench,
  holds: runHoldsBench,
  bookings: runBookingsBench,
  reservations: runReservationsBench,
  events: runEventsBench,
  agenda: runAgendaBench,
  mails: runMailBench,
  rush: runRushBench,
  neighbour: runNeighbourBench,
  pack: runPackBench,
  door: runDoorBench,
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in cases));
if (unknown.length > 0) {
  console.error(`There is no case ${unknown.join(', ')}. The cases: ${Object.keys(cases).join(', ')}.`);
  process.exit(2);
}
for (const name of chosen.length > 0 ? chosen : Object.keys(cases)) {
  console.log(`\n${name}`);
  await cases[name]?.();
}
