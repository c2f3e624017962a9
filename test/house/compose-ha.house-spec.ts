import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readSettings } from '#kernel';
import { poolerSettings } from '../faults/pooler.js';
import { postgresSettings } from '../faults/postgres-node.js';

const read = (name: string): string => readFileSync(`docker/${name}`, 'utf8');
const compose = read('compose.ha.yml');
const haproxy = read('ha/haproxy.cfg');
const documented = readFileSync('docs/operations.md', 'utf8');
const variable = /\$\{(\w+):([-?])([^}]*)\}/g;
/** Variables of compose.ha.yml with their defaults; `?` marks a required one. */
const variables = new Map(
  [...compose.matchAll(variable)].map(([, name, kind, text]) => [name as string, kind === '?' ? '' : (text as string)]),
);

/** Settings in the block that begins with the line `heading`, as Compose passes them with the required variables set. */
function environmentOf(heading: string): Record<string, string> {
  const block = compose.slice(compose.indexOf(`\n${heading}`)).split(/\n {2,4}environment:[^\n]*\n/)[1] ?? '';
  const lines = /^(?: {4,6}(?:#.*|\w+: .*)\n)+/.exec(block)?.[0] ?? '';
  return Object.fromEntries(
    [...lines.matchAll(/^ +(\w+): (.*)$/gm)].map(([, name, value = '']) => [
      name as string,
      value
        .replace(variable, (_all, _name, kind: string, text: string) => (kind === '?' ? 'a-secret-of-more-than-32-characters' : text))
        .replace(/^'(.*)'$/, '$1'),
    ]),
  );
}

/** Seconds of a time-out in haproxy.cfg. */
const proxySeconds = (name: string): number => Number(new RegExp(`timeout ${name} (\\d+)s`).exec(haproxy)?.[1]);

describe('docker/compose.ha.yml', () => {
  const settings = readSettings({ ...environmentOf('x-guichet:'), BASE_DOMAIN: 'tickets.example.org' });

  it('passes valid settings, the same to servers and worker', () => {
    expect(settings).toMatchObject({
      worker: 'separate',
      demo: false,
      preparedStatements: true,
      publicScheme: 'https',
    });
    expect(compose.match(/<<: \*guichet/g)).toHaveLength(3);
    expect(settings.mailFolder).toBe('/data/mail');
  });

  it('trusts only the address of the proxy', () => {
    const [address] = settings.trustedProxies;
    expect(settings.trustedProxies).toHaveLength(1);
    expect(compose).toContain(`ipv4_address: ${address}`);
  });

  it('pins the version of every image', () => {
    const images = [...compose.matchAll(/^ +image: (\S+)$/gm)].map(([, image]) => image as string);
    expect(images.length).toBeGreaterThan(4);
    for (const image of images.filter((name) => name !== 'guichet:ha')) expect(image).toMatch(/:v?\d+\.\d+/);
  });

  it('gives a stopping server the time to be noticed and to finish', () => {
    const { shutdownDelayMs, shutdownGraceMs } = settings;
    const [, interval, failures] = /check inter (\d+)s fall (\d+)/.exec(haproxy) ?? [];
    expect(shutdownDelayMs).toBeGreaterThan(Number(interval) * Number(failures) * 1000);
    const grace = Number(/stop_grace_period: (\d+)s/.exec(compose)?.[1]) * 1000;
    expect(grace).toBeGreaterThan(shutdownDelayMs + shutdownGraceMs);
  });

  it('documents every variable in .env.ha.example with the same default', () => {
    const documented = new Map([...read('.env.ha.example').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name as string, value]));
    expect([...documented.keys()].toSorted()).toEqual([...variables.keys()].toSorted());
    for (const [name, value] of documented) expect([name, value]).toEqual([name, variables.get(name)]);
  });

  it('mounts existing files', () => {
    const mounted = [...compose.matchAll(/^ +- \.\/(ha\/[\w.-]+):/gm)].map(([, file]) => file as string);
    expect([...new Set(mounted)].toSorted()).toEqual(readdirSync('docker/ha').map((file) => `ha/${file}`));
    for (const file of mounted) expect(existsSync(`docker/${file}`)).toBe(true);
  });

  it('configures PgBouncer as in the documentation and in `npm run faults`', () => {
    const pooler = environmentOf('  pgbouncer:');
    expect(pooler['SERVER_LOGIN_RETRY']).toBe('1');
    for (const [name, value] of Object.entries(poolerSettings)) {
      expect([name, pooler[name.toUpperCase()]]).toEqual([name, String(value)]);
      expect(documented).toContain(`${name} = ${value}`);
    }
  });

  it('configures PostgreSQL alike on primary and standbys, as in `npm run faults`', () => {
    const shared = ['recovery_init_sync_method', 'max_locks_per_transaction', 'idle_in_transaction_session_timeout'] as const;
    for (const name of [...shared, 'wal_retrieve_retry_interval'] as const) {
      expect(compose.split(`-c${name}=${postgresSettings[name]}\n`)).toHaveLength(4);
      expect(documented).toContain(`${name} = ${postgresSettings[name]}`);
    }
  });
});

describe('docker/ha/haproxy.cfg', () => {
  it('retries another server only when no connection could be made, and never repeats a request that may have been received', () => {
    expect([...haproxy.matchAll(/^ +retry-on (.*)$/gm)].map(([, kinds]) => kinds)).toEqual(['conn-failure']);
    expect(haproxy).not.toMatch(/^[^#\n]*shutdown-sessions/m);
  });

  it('waits longer than the time limit of the server', () => {
    const { requestTimeoutMs, databaseTimeoutMs, databaseWaitMs } = readSettings({});
    for (const name of ['client', 'server']) expect(proxySeconds(name) * 1000).toBeGreaterThan(requestTimeoutMs);
    expect(proxySeconds('server') * 1000).toBeGreaterThan(databaseTimeoutMs + databaseWaitMs);
  });

  it('checks /ready', () => {
    expect(haproxy).toMatch(/^ +option httpchk GET \/ready$/m);
  });
});
