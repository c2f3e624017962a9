/**
 * The baseline of the scan bench, in its own process: a scan without framework, with `node:http`, `pg` and the same statement, but without
 * key, signature and log.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readSettings } from '#kernel';
import { attemptStatement } from '#scan';
import pg from 'pg';

const { DATABASE_URL, TENANT, SCHEMA, DEVICE, KEY_ID, POOL } = process.env as Record<string, string>;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: Number(POOL) });
const text = attemptStatement(readSettings({})).text.replaceAll('{tenant}', `"${SCHEMA}"`);
const circumstances = JSON.stringify({ language: 'en', timeZone: 'Europe/Paris', requestId: 'bare' });
const hash = Buffer.alloc(32);

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const { qrcode_data: code } = JSON.parse(Buffer.concat(parts).toString()) as { qrcode_data: string };
    const hex = Buffer.from(code.slice(0, 24), 'base64url').toString('hex', 2);
    pool
      .query({
        name: 'attempt',
        text,
        values: [hex, DEVICE, KEY_ID, 'scan', null, null, hash, null, null, circumstances, TENANT, 0],
      })
      .then(
        ({ rows }) => {
          const body = JSON.stringify(rows[0]);
          response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }).end(body);
        },
        (error: unknown) => {
          console.error(error);
          response.writeHead(500).end();
        },
      );
  });
});
server.listen(0, '127.0.0.1', () => console.log(`listening ${(server.address() as AddressInfo).port}`));
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  void pool.end();
});
