/**
 * `PG_BIN=… npm run proof:citus`: builds what is stale and proves the service on several database servers (docs/operations.md).
 * `npm run proof:citus -- move` runs one part, `-- suite scan` the test files whose path contains "scan".
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale, root } from './build-if-stale.js';

await buildIfStale();
process.chdir(root);
await import(pathToFileURL(join(root, 'dist/test/citus/run.js')).href);
