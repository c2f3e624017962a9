/**
 * `npm run faults`: builds what is stale, then provokes one fault after the other under load (docs/operations.md). `npm run faults --
 * failover` runs one fault.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale, root } from './build-if-stale.js';

await buildIfStale();
process.chdir(root);
await import(pathToFileURL(join(root, 'dist/test/faults/run.js')).href);
