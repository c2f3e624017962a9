import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mostUnanswered } from '#http';
import { requestSeconds } from '#kernel';
import type { TenantIdentity } from '#tenancy';
import { startTestApp, type TestApp } from '../support/test-app.js';

let test: TestApp;
let venue: TenantIdentity;

beforeAll(async () => {
  test = await startTestApp({ environment: { RATE_UNKNOWN_KEYS: '3/10min', REQUEST_TIMEOUT_MS: '20000' } });
  venue = await test.newTenant();
});
afterAll(() => test.close());

/** Sends raw bytes, which may be an incomplete request, and reads for a while or until the server closes the connection. */
async function exchange(bytes: string, enough: RegExp): Promise<string> {
  const socket = connect(test.port, '127.0.0.1');
  let answer = '';
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket
    .on('error', () => undefined)
    .on('data', (part: Buffer) => {
      answer += part.toString();
      if (enough.test(answer)) socket.destroy();
    });
  socket.write(bytes);
  await closed;
  return answer;
}

describe('a connection that sends many requests at once', () => {
  it('is closed, and few of them are executed', async () => {
    const executed = async (): Promise<number> => {
      const { values } = await requestSeconds.get();
      return values.filter(({ metricName }) => metricName?.endsWith('_count')).reduce((sum, { value }) => sum + value, 0);
    };
    const before = await executed();
    // They arrive in one piece of 64 kB, so that without the limit all are executed before the event loop does anything else.
    await exchange(`GET / HTTP/1.1\r\nHost: ${venue.host}\r\n\r\n`.repeat(1200), /never/);
    expect((await executed()) - before).toBeLessThanOrEqual(mostUnanswered);
  });

  it('is answered as before when there are few of them', async () => {
    const answers = await exchange(`GET /live HTTP/1.1\r\nHost: ${venue.host}\r\n\r\n`.repeat(10), /("live"[^]*){10}/);
    expect(answers.match(/HTTP\/1\.1 200 /g)).toHaveLength(10);
  });
});

describe('a large body', () => {
  const head = (host: string): string =>
    `POST /api/v2/events/ HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Api-Key gkey_${'a'.repeat(60)}\r\n` +
    'Content-Type: application/json\r\nContent-Length: 500000\r\n\r\n{"name":"';

  it('with a key that was not accepted is refused before it is read, when its network sent too many of them', async () => {
    const whole = (): Promise<string> => exchange(`${head(venue.host)}${'x'.repeat(500_000 - 11)}"}`, /\r\n\r\n\{/);
    expect(await whole()).toMatch(/^HTTP\/1\.1 401 /);
    expect(await whole()).toMatch(/^HTTP\/1\.1 429 /);
    // The rest of the body never comes.
    expect(await exchange(head(venue.host), /\r\n\r\n\{/)).toMatch(/^HTTP\/1\.1 429 /);
  }, 30_000);
});

describe('headers and methods that nobody needs', () => {
  it('a long Accept-Language is ignored, because reading it takes longer than the request', async () => {
    const titleIn = async (header: string): Promise<string> => {
      const { body } = await test.on(venue).get('/api/nothing').set('Accept-Language', header).expect(404);
      return body.title as string;
    };
    const [french, english] = [await titleIn('fr'), await titleIn('en')];
    expect(french).not.toBe(english);
    expect(await titleIn(`fr,${'a,'.repeat(200)}b`)).toBe(french);
    expect(await titleIn(`fr,${'a,'.repeat(300)}b`)).toBe(english);
  });

  it('do not make more time series', async () => {
    for (const path of ['/ADMIN/api', '/admin/API', '/Admin/Api/x', '/aDMIN/aPI'])
      for (const method of ['PROPFIND', 'LOCK', 'REPORT']) {
        const asked = `${method} ${path} HTTP/1.1\r\nHost: ${venue.host}\r\nConnection: close\r\n\r\n`;
        expect(await exchange(asked, /never/)).toMatch(/^HTTP\/1\.1 4/);
      }
    const { text } = await test.on(venue).get('/metrics').expect(200);
    const series = text.split('\n').filter((line) => line.startsWith('guichet_http_request_seconds_count') && /admin/i.test(line));
    expect(series.filter((line) => /[A-Z]dmin|dMIN|DMIN|PROPFIND|LOCK|REPORT/.test(line))).toEqual([]);
    expect(series.filter((line) => line.includes('other'))).toHaveLength(1);
  });
});
