import { run } from './run.js';

// A reader that closes the pipe (| head) is no failure, and the database must still be closed.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

await leave(await run(process.argv.slice(2)));

/** Ends the process after all output is written: writing to a pipe is asynchronous. */
async function leave(exitCode: number): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => stream.write('', () => resolve()));
  }
  process.exit(exitCode);
}
