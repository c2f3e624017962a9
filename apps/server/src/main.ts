import 'reflect-metadata';
import { setTimeout as pass } from 'node:timers/promises';
import { EmbeddedPostgresError } from '#embedded-postgres';
import { readSettings, SettingsError } from '#kernel';
import { DatabaseStartError, NewerSchemaError } from '#tenancy';
import { describeStart } from './banner.js';
import { StartError, startServer, type RunningServer } from './start-server.js';

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
  running = await startServer(
    settings,
    (line) => console.log(line),
    (error) => void giveUp(error),
  );
  if (stoppingSince !== undefined) await finish(running);
  else console.log(describeStart(settings, running, performance.now() - started));
} catch (error) {
  console.error(isExpected(error) ? `guichet: ${error.message}` : error);
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

function isExpected(error: unknown): error is Error {
  return [StartError, SettingsError, DatabaseStartError, EmbeddedPostgresError, NewerSchemaError].some((kind) => error instanceof kind);
}
