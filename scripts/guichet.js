/** `npm run -s guichet -- <noun> <verb>`: compiles what is stale, then runs the operators' command line in this process. */
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build-if-stale.js';

// Like npm, so that the default data folder does not depend on the caller's folder.
process.chdir(fileURLToPath(new URL('..', import.meta.url)));

try {
  await buildIfStale({ quiet: true });
} catch (error) {
  console.error(`guichet: the program could not be compiled: ${error.message}`);
  process.exit(1);
}
await import('../dist/apps/cli/src/main.js');
