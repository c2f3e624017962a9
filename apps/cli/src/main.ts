import { run } from './run.js';

// A reader that has seen enough (| head) is no failure, and the database must still be closed.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

await leave(await run(process.argv.slice(2)));

/** Ends the process when everything written has left it: a pipe takes its time. */
async function leave(exitCode: number): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => stream.write('', () => resolve()));
  }
  process.exit(exitCode);
}
