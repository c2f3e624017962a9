import 'reflect-metadata';
import { constants, setPriority } from 'node:os';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadServerSecret, readSettings, unknownSettings } from '#kernel';
import { JobRunner, TaskSchedulerService } from '#jobs';
import {
  BackgroundMigrations,
  InstallationService,
  isStartError,
  Migrator,
  openDatabase,
  startErrorOf,
  type OpenedDatabase,
} from '#tenancy';
import { WebhookWorker } from '#webhooks';
import { WorkerModule } from './worker.module.js';

let app: INestApplicationContext | undefined;
let database: OpenedDatabase | undefined;
let stopping = false;

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    console.log('Stopping …');
    void close(0);
  });
}

// Servers on the same machine answer people and have priority.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

try {
  const settings = readSettings();
  for (const line of unknownSettings()) console.error(`guichet: ${line}`);
  const serverSecret = loadServerSecret(settings);
  database = await openDatabase(settings, (line) => console.log(line), {
    say: (line) => console.log(line),
    gaveUp: (error) => {
      console.error(`guichet: ${error.message}`);
      void close(1);
    },
  });
  try {
    app = await NestFactory.createApplicationContext(WorkerModule.with(settings, serverSecret, database.url), {
      logger: ['error'],
      abortOnError: false,
    });
    await app.get(Migrator).run((line) => console.log(line));
    await app.get(InstallationService).checkSecret();
  } catch (error) {
    throw startErrorOf(error, database.url) ?? error;
  }
  if (!stopping) {
    app.get(BackgroundMigrations).start();
    app.get(WebhookWorker).start();
    app.get(JobRunner).start();
    app.get(TaskSchedulerService).start();
    console.log('Guichet worker: handing on events, delivering webhooks, doing jobs. Stop it with Ctrl-C.');
  }
} catch (error) {
  console.error(isStartError(error) ? `guichet: ${error.message}` : error);
  await close(1);
}

async function close(code: number): Promise<void> {
  database?.endSupervision();
  await app?.close().catch((error: unknown) => console.error(error));
  await database?.release().catch((error: unknown) => console.error(error));
  process.exit(code);
}
