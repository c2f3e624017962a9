import { WebhookWorker } from '#webhooks';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { EmbeddedPostgresError } from '#embedded-postgres';
import { createLogger, loadServerSecret, type Settings } from '#kernel';
import { DemoService } from '#demo';
import { JobRunner, TaskSchedulerService } from '#jobs';
import {
  BackgroundMigrations,
  InstallationService,
  isStartError,
  Migrator,
  openDatabase,
  startErrorOf,
  type InstallationReport,
} from '#tenancy';
import { Drain } from './drain.js';
import { createHttpApp } from './http-app.js';

/** The server cannot start. The message is one line that says what to do. */
export class StartError extends Error {}

export interface RunningServer {
  readonly app: NestExpressApplication;
  readonly port: number;
  readonly installation: InstallationReport;
  readonly demo: Awaited<ReturnType<DemoService['ensure']>> | undefined;
  /** Stops in order: listener and workers, requests, pools, embedded PostgreSQL. */
  stop(): Promise<void>;
}

/**
 * Starts a server: database, migrations, installation, demo, then the listener, so that every accepted request can be served.
 * @param databaseLost called when the embedded PostgreSQL ended and cannot be started again
 * @throws StartError, SettingsError, DatabaseStartError, EmbeddedPostgresError, NewerSchemaError: each one clear line
 */
export async function startServer(
  settings: Settings,
  say: (line: string) => void,
  databaseLost: (error: EmbeddedPostgresError) => void,
): Promise<RunningServer> {
  const serverSecret = loadServerSecret(settings);
  const logger = createLogger(settings);
  const supervision = { say: (line: string) => logger.warn(line), gaveUp: databaseLost };
  const database = await openDatabase(settings, say, supervision);
  let app: NestExpressApplication | undefined;
  try {
    app = await createHttpApp({ settings, serverSecret, databaseUrl: database.url, logger });
    await app.get(Migrator).run(say);
    const installation = await app.get(InstallationService).ensure();
    const demo = settings.demo ? await app.get(DemoService).ensure(say) : undefined;
    const port = await listen(app, settings);
    app.get(BackgroundMigrations).start();
    const server = app.getHttpServer();
    const drain = app.get(Drain);
    const started = app;
    let stopped: Promise<void> | undefined;
    const workers = [app.get(WebhookWorker), app.get(JobRunner), app.get(TaskSchedulerService)];
    if (settings.worker === 'inline') for (const worker of workers) worker.start();
    const stop = async (): Promise<void> => {
      database.endSupervision();
      await drain.leave(settings.shutdownDelayMs);
      await Promise.all([drain.close(server, settings.shutdownGraceMs), ...workers.map((worker) => worker.stop())]);
      await started.close();
      await database.release();
    };
    return { app, port, installation, demo, stop: () => (stopped ??= stop()) };
  } catch (error) {
    await app?.close().catch(() => undefined);
    await database.release().catch(() => undefined);
    throw startErrorOf(error, database.url) ?? error;
  }
}

/** Whether an error of a start is one whose message is one clear line for the operator. */
export function isExplained(error: unknown): boolean {
  return error instanceof StartError || isStartError(error);
}

async function listen(app: NestExpressApplication, settings: Settings): Promise<number> {
  const server = app.getHttpServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new StartError(explain(error, settings), { cause: error })));
    server.listen({ port: settings.port, ...(settings.host ? { host: settings.host } : {}) }, resolve);
  });
  const address = server.address();
  return typeof address === 'object' && address ? address.port : settings.port;
}

function explain(error: NodeJS.ErrnoException, settings: Settings): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${settings.port} is taken: stop the program that uses it, or set PORT to another one.`;
    case 'EACCES':
      return `Port ${settings.port} needs more rights than this user has: set PORT to 1024 or higher.`;
    case 'EADDRNOTAVAIL':
      return `${settings.host} is no address of this machine: correct HOST.`;
    default:
      return `Cannot listen on port ${settings.port} (${error.code ?? error.message}): check PORT and HOST.`;
  }
}
