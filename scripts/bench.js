/** `npm run bench`: builds what is stale and measures side by side. BENCH_SECONDS, BENCH_ROUNDS, BENCH_CONNECTIONS, BENCH_POOL;
 *  `npm run bench -- scan` runs one case. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale, root } from './build-if-stale.js';

await buildIfStale();
process.chdir(root);
await import(pathToFileURL(join(root, 'dist/test/load/bench.js')).href);
