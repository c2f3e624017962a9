import 'reflect-metadata';
import { setTimeout as pass } from 'node:timers/promises';
import type { EmbeddedPostgresError } from '#embedded-postgres';
import { readSettings, SettingsError, unknownSettings } from '#kernel';
import { describeStart } from './banner.js';
import type { RunningServer } from './start-server.js';

const started = performance.now();
let running: RunningServer | undefined;
let stoppingSince: number | undefined;

// Before anything is started: a signal during the start must still stop what was started.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // npm forwards a copy of the Ctrl-C that the terminal sends to both: a second signal within this time is ignored.
    if (stoppingSince !== undefined && performance.now() - stoppingSince < 500) return;
    if (stoppingSince !== undefined) process.exit(1);
    stoppingSince = performance.now();
    if (running) void finish(running);
  });
}

try {
  const settings = readSettings();
  for (const line of unknownSettings()) console.error(`guichet: ${line}`);
  // Loading the server takes seconds: invalid settings are reported before, and a signal meanwhile leaves nothing to stop.
  const { startServer } = await import('./start-server.js');
  if (stoppingSince !== undefined) process.exit(0);
  running = await startServer(
    settings,
    (line) => console.log(line),
    (error) => void giveUp(error),
  );
  if (stoppingSince !== undefined) await finish(running);
  else console.log(describeStart(settings, running, performance.now() - started));
} catch (error) {
  console.error((await isExpected(error)) ? `guichet: ${(error as Error).message}` : error);
  process.exit(1);
}

/** Without its database the server cannot work, and its supervisor must see that it failed. */
async function giveUp(reason: EmbeddedPostgresError): Promise<void> {
  console.error(`guichet: ${reason.message}`);
  // Running requests can only fail; a moment is enough to answer them.
  await Promise.race([running?.stop().catch(() => undefined), pass(3000)]);
  process.exit(1);
}

async function finish(server: RunningServer): Promise<void> {
  console.log('Stopping …');
  try {
    await server.stop();
    process.exit(0);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}

async function isExpected(error: unknown): Promise<boolean> {
  return error instanceof SettingsError || (await import('./start-server.js')).isExplained(error);
}
