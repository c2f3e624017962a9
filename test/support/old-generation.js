// Prints how many bytes of answers to statements V8 moves to its old generation. Run with `--expose-gc` and the URL of a database.
import v8 from 'node:v8';
import pg from 'pg';
import { PipelinedClient } from '../../dist/libs/tenancy/src/database/connections/pipelined-client.js';

const pool = new pg.Pool({ connectionString: process.argv[2], max: 1, Client: PipelinedClient, query_timeout: 10_000 });
const text = `select json_agg(json_build_array(n, repeat('x', 20), n / 2)) as list from generate_series(1, 300) n`;

async function read(times) {
  for (let round = 0; round < times; round += 1) {
    await pool.query({ name: 'list', text });
    // What survives two of these is in the old generation.
    if (round % 5 === 4) globalThis.gc({ type: 'minor' });
  }
}

function oldGeneration() {
  return v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space').space_used_size;
}

await read(50);
const before = oldGeneration();
await read(300);
console.log(oldGeneration() - before);
await pool.end();
