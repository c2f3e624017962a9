/**
 * A receiver that answers at once and records the age of each event on arrival: `GET /` returns the number and the ages and resets them.
 * Runs in its own process.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let ages: number[] = [];

const sink = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify(ages));
    ages = [];
    return;
  }
  let body = '';
  request.setEncoding('utf8').on('data', (part: string) => (body += part));
  request.on('end', () => {
    const { timestamp } = JSON.parse(body) as { timestamp: string };
    ages.push(Date.now() - Date.parse(timestamp));
    response.writeHead(204).end();
  });
});
sink.listen(0, '127.0.0.1', () => console.log(`listening ${(sink.address() as AddressInfo).port}`));
process.on('SIGTERM', () => {
  sink.close();
  sink.closeAllConnections();
});
