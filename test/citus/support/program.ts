import 'reflect-metadata';
import { readSettings } from '#kernel';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createHttpApp } from '../../../apps/server/src/http-app.js';
import type { Installation } from './installation.js';

/** The program on an installation, in this process and without a port: its services are called as in the tests. Close it. */
export function openProgram({ environment }: Installation): Promise<NestExpressApplication> {
  const settings = readSettings({ ...environment, LOG_LEVEL: 'silent', WORKER: 'separate' });
  const { DATABASE_URL: databaseUrl = '', SERVER_SECRET: serverSecret = '' } = environment;
  return createHttpApp({ settings, serverSecret, databaseUrl });
}
