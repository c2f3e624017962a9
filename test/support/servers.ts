import { startProgram, type Started } from '../load/bench-processes.js';
import { testSecret, type TestApp } from './test-app.js';

/** Starts servers in their own processes on the database of a test. They run the compiled code, so build first. */
export function startServers(test: TestApp, count: number, environment: NodeJS.ProcessEnv = {}): Promise<Started[]> {
  const settings = {
    NODE_ENV: 'production',
    DATABASE_URL: test.database.url,
    SERVER_SECRET: testSecret,
    DEMO: 'off',
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    ...environment,
  };
  return Promise.all(
    Array.from({ length: count }, () => startProgram(['dist/apps/server/src/main.js'], settings, /http:\/\/localhost:(\d+)\/admin/)),
  );
}
