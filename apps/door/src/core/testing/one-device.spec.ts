import fc from 'fast-check';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ScanResult } from '../types.js';
import { leaseMs, ModelLeases } from './model-leases.js';
import { ModelNetwork } from './model-network.js';
import { ModelServer } from './model-server.js';
import type { ModelTicket } from './model-tickets.js';
import { Phone } from './phone.js';
import { until } from './until.js';
import { longRun } from '../../../../../test/support/long-run.js';

/** More by hand: `DOOR_RUNS=500`. */
const runs = Number(process.env['DOOR_RUNS'] ?? (longRun ? 12 : 6));
const sold = 6;
const minute = 60_000;

const step = fc.record({
  phone: fc.nat(2),
  ticket: fc.nat(sold - 1),
  act: fc.constantFrom('entry', 'entry', 'entry', 'group', 'admit', 'cut', 'cut', 'lose', 'heal', 'kill', 'back', 'ahead', 'pass', 'sleep'),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** A door where one phone lets in while it is cut off. Time passes when a test says so. */
class OneDeviceDoor {
  readonly phones: Phone[] = [];
  passed = 0;
  readonly now = (): number => performance.timeOrigin + performance.now() + this.passed;
  /** Who let in by the list. */
  readonly listed: { readonly phone: Phone; readonly ticket: ModelTicket }[] = [];
  private readonly last = new Map<Phone, { readonly result: ScanResult; readonly ticket: ModelTicket }>();

  private constructor(
    readonly network: ModelNetwork,
    readonly tickets: readonly ModelTicket[],
  ) {}

  static async make(count: number): Promise<OneDeviceDoor> {
    const server = new ModelServer();
    const network = await ModelNetwork.make(server);
    network.leases = new ModelLeases();
    const groups = [await network.sell(sold / 2, { reservation: 1 }), await network.sell(sold / 2, { reservation: 2, type: 1 })];
    const door = new OneDeviceDoor(network, groups.flat());
    server.now = door.now;
    for (let at = 0; at < count; at += 1) door.phones.push(await new Phone(network, door.now).open());
    return door;
  }

  async act({ act, phone: at, ticket: number }: Step): Promise<void> {
    const [phone, ticket] = [this.phones[at % this.phones.length]!, this.tickets[number]!];
    if (act === 'entry') this.keep(phone, ticket, await phone.engine.scan(ticket.code, 'camera'));
    else if (act === 'group' || act === 'admit') await this.goOn(act, phone);
    else if (act === 'cut') phone.line.mode = 'down';
    else if (act === 'lose') phone.line.mode = 'lost';
    else if (act === 'heal') phone.line.mode = 'up';
    else if (act === 'kill') await phone.restart();
    else if (act === 'back') phone.clockError -= 20 * minute;
    else if (act === 'ahead') phone.clockError += 20 * minute;
    else {
      this.passed += 25 * minute;
      if (act === 'sleep') phone.slept += 25 * minute;
    }
    // The app does so every 30 seconds. Nobody knows of a clock that is set back before, when the app is killed at once.
    if (['back', 'ahead', 'pass', 'sleep'].includes(act)) for (const { engine } of this.phones) await engine.door.saveClock();
    // Requests that time would have ended meanwhile.
    if (act === 'heal' || act === 'pass' || act === 'sleep') for (const { engine } of this.phones) engine.wake();
  }

  /** A person presses a button of the last card. */
  private async goOn(act: 'group' | 'admit', phone: Phone): Promise<void> {
    const last = this.last.get(phone);
    if (!last) return;
    const { scanId } = last.result;
    const pressed = act === 'group' ? phone.engine.admitGroup(scanId, 1) : phone.engine.admit(scanId);
    const result = await pressed.catch(() => null);
    if (result) this.keep(phone, last.ticket, result);
  }

  private keep(phone: Phone, ticket: ModelTicket, result: ScanResult): void {
    const last = this.last.get(phone)?.result;
    this.last.set(phone, { result, ticket });
    // A button of a card that is green already shows the same card: nobody else comes in.
    if (last?.verdict === 'go' && last.scanId === result.scanId) return;
    if (result.verdict === 'go' && result.decidedBy === 'list') {
      this.listed.push({ phone, ticket });
      if (!isHolding(phone, ticket.type)) throw new Error(`${phone.device} let in without a lease`);
    }
  }

  /** Phones that would let tickets of a type in now, without the server. */
  holding(type: number): string[] {
    return this.phones.filter((phone) => isHolding(phone, type)).map(({ device }) => device);
  }

  async end(): Promise<void> {
    for (const phone of this.phones) await phone.kill();
  }
}

function isHolding({ engine }: Phone, type: number): boolean {
  const { pack, lease } = engine.door;
  return lease.isHeld && pack !== null && (pack.mine?.has([...pack.types.keys()][type]!) ?? true);
}

const doors: OneDeviceDoor[] = [];
const newDoor = async (count: number): Promise<OneDeviceDoor> => {
  const door = await OneDeviceDoor.make(count);
  doors.push(door);
  return door;
};
afterEach(async () => {
  for (const door of doors.splice(0)) await door.end();
});

describe('an event where one device lets in without a connection', () => {
  it(`has at most one phone that does, whatever happens to clocks, lines and apps, in ${runs} runs`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50 }), async (steps) => {
        const door = await newDoor(3);
        for (const one of steps) {
          await door.act(one);
          for (const type of [0, 1]) expect(door.holding(type).length).toBeLessThanOrEqual(1);
        }
        await doors.pop()?.end();
      }),
      { numRuns: runs, endOnFailure: true },
    );
  });

  it(`never lets the same ticket in at two cut-off phones, in ${runs} runs`, async () => {
    const withoutTime = step.filter(({ act }) => act !== 'pass' && act !== 'sleep' && act !== 'heal');
    await fc.assert(
      fc.asyncProperty(fc.array(withoutTime, { minLength: 10, maxLength: 50 }), async (steps) => {
        const door = await newDoor(3);
        for (const phone of door.phones) phone.line.mode = 'down';
        for (const one of steps) await door.act(one);
        for (const ticket of door.tickets) {
          const phones = door.listed.filter((one) => one.ticket.reservation === ticket.reservation).map(({ phone }) => phone.device);
          expect(new Set(phones).size).toBeLessThanOrEqual(1);
        }
        await doors.pop()?.end();
      }),
      { numRuns: runs, endOnFailure: true },
    );
  });

  it('sends guests of the other phone there, and nobody can admit them by hand', async () => {
    const door = await newDoor(2);
    const [first, other] = door.phones as [Phone, Phone];
    for (const phone of door.phones) await phone.cutOff();
    const [ticket, companion] = door.tickets as [ModelTicket, ModelTicket];
    const away = await other.engine.scan(ticket.code, 'camera');
    expect(away).toMatchObject({ verdict: 'stop', reason: 'other_device', other: { holder: { device: first.device } } });
    expect(away.nextStep).toEqual({ code: 'to_device', text: null });
    await expect(other.engine.admit(away.scanId)).rejects.toMatchObject({ code: 'other_device' });
    expect(await other.engine.admitGroup(away.scanId, 2)).toMatchObject({ verdict: 'stop', reason: 'other_device' });
    expect(await first.engine.scan(ticket.code, 'camera')).toMatchObject({ verdict: 'go', decidedBy: 'list' });
    // A ticket that was sold after the lists belongs to nobody.
    const [late] = await door.network.sell(1);
    for (const { engine } of door.phones)
      expect(await engine.scan(late!.code, 'camera')).toMatchObject({
        verdict: 'stop',
        reason: 'not_in_list',
        nextStep: { code: 'to_desk' },
      });
    // With the server, every phone lets in.
    other.line.mode = 'up';
    await until(() => other.engine.state.network.kind === 'live' || (other.engine.wake(), false));
    expect(await other.engine.scan(companion.code, 'camera')).toMatchObject({ verdict: 'go', decidedBy: 'server' });
  });

  it('ends after an hour without contact, and only then another phone gets it', async () => {
    const door = await newDoor(2);
    const [first, other] = door.phones as [Phone, Phone];
    await first.cutOff();
    door.passed += leaseMs - 5 * minute;
    other.engine.wake();
    expect(door.holding(0)).toEqual([first.device]);
    expect(await first.engine.scan(door.tickets[0]!.code, 'camera')).toMatchObject({ verdict: 'go' });
    door.passed += 6.5 * minute;
    expect(door.holding(0)).toEqual([]);
    expect(await first.engine.scan(door.tickets[1]!.code, 'camera')).toMatchObject({
      verdict: 'stop',
      reason: 'other_device',
      nextStep: { code: 'to_desk' },
    });
    // Waking again would end the request for the list that brings the lease.
    other.engine.wake();
    await until(() => door.holding(0).length > 0);
    expect(door.holding(0)).toEqual([other.device]);
    first.line.mode = 'up';
    first.engine.wake();
    await until(() => (first.engine.door.pack?.holders.size ?? 0) === 2);
    expect(door.holding(0)).toEqual([other.device]);
  });

  it('survives a restart of the app, and ends when somebody sets the clock back', async () => {
    const door = await newDoor(1);
    const [phone] = door.phones as [Phone];
    await phone.cutOff();
    await phone.restart();
    expect(door.holding(0)).toEqual([phone.device]);
    phone.clockError -= 10 * minute;
    expect(door.holding(0)).toEqual([]);
    await phone.engine.door.saveClock();
    await phone.restart();
    expect(door.holding(0)).toEqual([]);
    // Nor does it begin again when the clock has caught up.
    door.passed += 11 * minute;
    await phone.engine.door.saveClock();
    await phone.restart();
    expect(door.holding(0)).toEqual([]);
  });
});
