import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatesService, ScanningDevicesService } from '#scan';
import { runInTenant } from '#tenancy';
import type { BrowserContext } from 'playwright-core';
import { openChromium } from '../browser/chromium.js';
import { DoorPhone, phoneSize } from '../browser/door-phone.js';
import { FakeCamera } from '../support/door/fake-camera.js';
import { FaultyProxy } from '../support/door/faulty-proxy.js';
import { until } from '../support/until.js';
import { createFixture, type BenchFixture } from './bench-fixture.js';
import { meterScript, type Meter } from './door-meter.js';
import { printFigures, type Figure } from './figure-table.js';
import { startServer } from './scan-bench.js';

/** Codes that each network and each throttle sees. */
const shownCodes = Number(process.env['BENCH_CODES'] ?? 30);
const starts = Number(process.env['BENCH_STARTS'] ?? 10);
const rates = [1, 4, 6] as const;
/** Milliseconds by which the network delays each answer. */
const networkDelay = 50;
const listed = 3000;

/** A venue, its server, a network before it, and a browser with a camera. */
class DoorStage {
  private number = 0;

  private constructor(
    readonly fixture: BenchFixture,
    readonly proxy: FaultyProxy,
    readonly camera: FakeCamera,
    readonly context: BrowserContext,
    private readonly codes: readonly string[],
    readonly close: () => Promise<void>,
  ) {}

  static async open(): Promise<DoorStage> {
    const folder = await mkdtemp(join(tmpdir(), 'guichet-door-bench-'));
    process.env['GUICHET_TEST_FOLDER'] ??= folder;
    const fixture = await createFixture(listed, 0);
    const server = await startServer(fixture, {}, true);
    const [proxy, camera] = await Promise.all([FaultyProxy.open(server.port), FakeCamera.open(folder)]);
    const { browser, close } = await openChromium(camera.flags);
    const options = { viewport: phoneSize, locale: 'en-GB', permissions: ['camera'], hasTouch: true, isMobile: true };
    const context = await browser.newContext(options);
    return new DoorStage(fixture, proxy, camera, context, await fixture.codes(0, listed), async () => {
      await close();
      await camera.close();
      await proxy.close();
      await server.stop();
      await fixture.close();
      await rm(folder, { recursive: true, force: true });
    });
  }

  get origin(): string {
    return `http://${this.fixture.tenant.host}:${this.proxy.port}`;
  }

  /** A ticket that was not shown before. */
  nextCode(): string {
    this.number += 1;
    return this.codes[this.number - 1] as string;
  }

  /** A page of the app on a phone that is so many times slower than this machine. */
  async phone(rate: number): Promise<DoorPhone> {
    const phone = await DoorPhone.open(this.context, this.camera);
    await phone.page.addInitScript(meterScript(rate));
    await throttle(phone, rate);
    return phone;
  }

  /** Pairs the phone and opens the event. */
  async pair(phone: DoorPhone): Promise<void> {
    const { app, tenant, pool } = this.fixture;
    const { rows } = await pool.query<{ id: string }>(`select id from "${tenant.schemaName}".event`);
    const [token, gate] = await runInTenant(tenant, async () => {
      const gates = app.get(GatesService);
      await gates.create({ name: 'Balcony' });
      const main = await gates.create({ name: 'Main door' });
      return [(await app.get(ScanningDevicesService).create('Door 1')).token, main.id] as const;
    });
    await phone.pair(`${this.origin}/door/#pair=${token}`);
    await phone.choose(rows[0]!.id, gate);
    await phone.network('live', 0);
  }
}

async function throttle(phone: DoorPhone, rate: number): Promise<void> {
  await (await phone.devtools()).send('Emulation.setCPUThrottlingRate', { rate });
  await phone.page.evaluate(`window.slower = ${rate}`);
}

const meterOf = (phone: DoorPhone): Promise<Meter> => phone.page.evaluate<Meter>('window.meter');

/** Milliseconds from the frame with the code to the painted verdict, and from the code before the camera to it. */
async function verdicts(stage: DoorStage, phone: DoorPhone, decidedBy: 'list' | 'server'): Promise<{ frame: number[]; shown: number[] }> {
  const times = { frame: [] as number[], shown: [] as number[] };
  await phone.forget();
  const offset = (await phone.page.evaluate<number>('performance.timeOrigin')) - performance.timeOrigin;
  for (let count = 0; count < shownCodes; count += 1) {
    const code = stage.nextCode();
    await stage.camera.show(code);
    const held = performance.now() - offset;
    let seen = await phone.next();
    // A late picture of the code before.
    while (seen.verdict === 'just') seen = await phone.next();
    await stage.camera.clear();
    if (seen.verdict !== 'go') throw new Error(`${seen.verdict} ${seen.reason}: ${seen.text}`);
    if (seen.decidedBy !== decidedBy) continue;
    const reading = (await meterOf(phone)).readings.find(({ text }) => text === code);
    if (!reading) throw new Error('The decoder did not read the code that was decided.');
    times.frame.push(seen.at - reading.frame);
    times.shown.push(seen.at - held);
  }
  return times;
}

/** Starts the app again without a network. @returns milliseconds to the first frame, and to the first frame that was read */
async function coldStart(stage: DoorStage, before: DoorPhone, rate: number): Promise<{ phone: DoorPhone; live: number; reads: number }> {
  const session = await before.devtools();
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  await before.page.close();
  const phone = await stage.phone(rate);
  await phone.page.goto(`${stage.origin}/door/`);
  const { firstFrame, readings } = await until(
    () => meterOf(phone),
    (meter) => meter.firstFrame !== null && meter.readings.length > 0,
  );
  return { phone, live: firstFrame ?? 0, reads: readings[0]?.at ?? 0 };
}

/** The app comes back from the background. @returns milliseconds until a frame was read */
async function comeBack(phone: DoorPhone): Promise<number> {
  const turn = (state: 'hidden' | 'visible'): Promise<number> =>
    phone.page.evaluate<number>(`(() => {
      Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
      return performance.now();
    })()`);
  await turn('hidden');
  await phone.page.locator('[data-camera="off"]').waitFor();
  await phone.page.waitForTimeout(200);
  const back = await turn('visible');
  const { readings } = await until(
    () => meterOf(phone),
    (meter) => meter.readings.some(({ frame }) => frame > back),
  );
  return readings.find(({ frame }) => frame > back)!.at - back;
}

/**
 * The scanner app in Chromium on a phone that is 4 and 6 times slower than this machine, from the camera to the painted verdict: with a
 * network and without one; its start without a network, and its return from the background.
 */
export async function runDoorBench(): Promise<void> {
  const stage = await DoorStage.open();
  try {
    console.log(
      `Fake camera of 1280 × 720, list of ${listed} tickets, ${shownCodes} codes each, answers delayed by ${networkDelay} ms; ` +
        `${cpus().length} cores shared by Chromium, the server and PostgreSQL; load average ${loadavg()[0]?.toFixed(1)} at the start.`,
    );
    const figures: Figure[] = [];
    let phone = await stage.phone(1);
    await stage.pair(phone);
    stage.proxy.set({ delay: networkDelay });
    for (const rate of rates) {
      await throttle(phone, rate);
      const { frame, shown } = await verdicts(stage, phone, 'server');
      figures.push({ name: `×${rate}, server: frame to verdict`, values: frame, unit: 'ms', ...(rate === 4 && { aim: 500 }) });
      figures.push({ name: `×${rate}, server: code held up to verdict`, values: shown, unit: 'ms' });
      console.log(`  ×${rate}: the list decided ${shownCodes - frame.length} of ${shownCodes} codes because the server was late`);
    }
    stage.proxy.set('refuse');
    await phone.network('offline');
    for (const rate of rates) {
      await throttle(phone, rate);
      const { frame, shown } = await verdicts(stage, phone, 'list');
      figures.push({ name: `×${rate}, list: frame to verdict`, values: frame, unit: 'ms', ...(rate === 4 && { aim: 120 }) });
      figures.push({ name: `×${rate}, list: code held up to verdict`, values: shown, unit: 'ms' });
    }
    for (const rate of [4, 6] as const) {
      const [live, reads]: [number[], number[]] = [[], []];
      for (let count = 0; count < starts; count += 1) {
        const start = await coldStart(stage, phone, rate);
        phone = start.phone;
        live.push(start.live);
        reads.push(start.reads);
      }
      figures.push({ name: `×${rate}: cold start offline to live picture`, values: live, unit: 'ms', ...(rate === 6 && { aim: 1000 }) });
      figures.push({ name: `×${rate}: cold start offline to first frame read`, values: reads, unit: 'ms' });
    }
    const back: number[] = [];
    for (let count = 0; count < 2 * starts; count += 1) back.push(await comeBack(phone));
    figures.push({ name: '×6: background to first frame read', values: back, unit: 'ms', aim: 1500 });
    printFigures(figures);
    if (phone.faults.length > 0) throw new Error(phone.faults.join('\n'));
  } finally {
    await stage.close();
  }
}
