import type { ServerResponse } from 'node:http';

/** The fault of every request until it is reset. `cut after` performs the request before the connection breaks. */
export type StripeFault = 'hang' | 'drip' | 'error' | 'limit' | 'cut' | 'cut after' | 'no JSON' | 'kept error';

/** Answers with a fault. @returns whether the request is not performed */
export function fails(fault: StripeFault, response: ServerResponse): boolean {
  const error = (status: number, message: string): unknown =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error: { type: 'api_error', message } }));
  if (fault === 'drip') {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const drip = setInterval(() => response.write(' '), 200);
    response.on('close', () => clearInterval(drip));
  }
  if (fault === 'error') error(500, 'Something went wrong on our end.');
  if (fault === 'limit') error(429, 'Too many requests.');
  if (fault === 'cut') response.destroy();
  if (fault === 'no JSON') response.writeHead(200).end('<html>Maintenance</html>');
  return fault !== 'cut after';
}
