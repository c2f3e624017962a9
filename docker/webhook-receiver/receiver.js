/**
 * An example receiver: verifies a message, answers at once, and then does the work, once per message even if it is delivered twice.
 * WEBHOOK_SECRET is the secret that Guichet showed when the endpoint was created; PORT defaults to 4000.
 */
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const { WEBHOOK_SECRET, PORT = '4000' } = process.env;
if (!WEBHOOK_SECRET) {
  console.error('Set WEBHOOK_SECRET to the secret of your endpoint (whsec_…).');
  process.exit(2);
}
const webhook = new Webhook(WEBHOOK_SECRET);
/** A real receiver stores these ids in its database for 30 days. */
const done = new Set();

function work(id, { type, timestamp, data }) {
  if (done.has(id)) return console.log(`${id} came again: done already`);
  done.add(id);
  const { identifier, uuid, name, event, sequence } = data;
  console.log(`${timestamp} ${type} ${identifier ?? uuid ?? ''} "${name ?? event ?? ''}" (change ${sequence} of it)`);
}

const server = createServer((request, response) => {
  const parts = [];
  let length = 0;
  request.on('data', (part) => {
    length += part.length;
    if (length > 1_000_000) request.destroy();
    else parts.push(part);
  });
  request.on('end', () => {
    const body = Buffer.concat(parts).toString();
    try {
      webhook.verify(body, request.headers);
    } catch (error) {
      console.log(`refused: ${error.message}`);
      response.writeHead(401).end();
      return;
    }
    // Answers before the work, because Guichet waits at most 15 seconds and then repeats the delivery.
    response.writeHead(204).end();
    work(request.headers['webhook-id'], JSON.parse(body));
  });
});
server.listen(Number(PORT), () => console.log(`Listening on port ${PORT}`));
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
