/**
 * `npm start` and `npm run worker`: compile what is stale, then become the server or the worker (one process, so that signals reach it).
 */
import { BuildError, buildIfStale, root } from './build-if-stale.js';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

process.env.NODE_ENV ??= 'production';
try {
  await buildIfStale();
} catch (error) {
  console.error(error instanceof BuildError ? error.message : error);
  process.exit(1);
}
await import(pathToFileURL(join(root, `dist/apps/${process.argv[2] ?? 'server'}/src/main.js`)).href);
