import { DoorPhone } from './door-phone.js';
import type { DoorPlace } from './door-places.js';
import { tricks } from './door-tricks.js';

/** How many returns from the background a test makes; set by hand, with the limits of a quiet machine. */
export const rounds = Number(process.env['DOOR_RETURNS'] ?? 5);

/** Milliseconds that a cold start and a return from the background may take. */
export const longest = process.env['DOOR_RETURNS'] === undefined ? { start: 10_000, back: 10_000 } : { start: 1_000, back: 1_500 };

export const say = (text: string): void => void process.stderr.write(`door: ${text}\n`);

export function spread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other).map(Math.round);
  return `${sorted.length} times, p50 ${sorted[Math.floor(sorted.length / 2)]} ms, slowest ${sorted.at(-1)} ms`;
}

/** Starts the app again. @param slower how many times slower the processor is @returns the new page of the same phone */
export async function restarted(door: DoorPlace, old: DoorPhone, slower = 1): Promise<DoorPhone> {
  const context = old.page.context();
  await old.page.close();
  const phone = await DoorPhone.open(context, door.camera);
  for (const trick of [tricks.live, tricks.pictures, tricks.connections]) await phone.page.addInitScript(trick);
  if (slower > 1) await (await phone.devtools()).send('Emulation.setCPUThrottlingRate', { rate: slower });
  await phone.page.goto(`${door.origin}/door/`);
  await phone.live();
  return phone;
}
