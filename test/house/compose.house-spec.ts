import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readSettings, settingNames } from '#kernel';

const compose = readFileSync('docker/compose.yml', 'utf8');
const example = readFileSync('docker/.env.example', 'utf8');
/** Variables of compose.yml with their defaults; `?` marks a required one. */
const variables = new Map(
  [...compose.matchAll(/\$\{(\w+):([-?])([^}]*)\}/g)].map(([, name, kind, text]) => [
    name as string,
    kind === '?' ? undefined : (text as string),
  ]),
);
/** The environment that compose.yml passes to the server when only the required variables are set. */
const service = /\n {2}guichet:[\s\S]*?\n {4}environment:\n([\s\S]*?)\n {4}\w/.exec(compose)?.[1] ?? '';
const environment = Object.fromEntries(
  [...service.matchAll(/^ {6}(\w+): (.*)$/gm)].map(([, name, value = '']) => [
    name as string,
    value
      .replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_all, _name, kind: string, text: string) =>
        kind === '?' ? 'a-secret-of-more-than-32-characters' : text,
      )
      .replace(/^'(.*)'$/, '$1'),
  ]),
);

describe('docker/compose.yml', () => {
  it('passes valid settings, and those that a public installation needs', () => {
    for (const name of ['SMTP_URL', 'MAIL_FROM', 'PUBLIC_SCHEME', 'PUBLIC_PORT', 'TRUSTED_PROXIES', 'ADMIN_EMAIL'])
      expect(Object.keys(environment)).toContain(name);
    const settings = readSettings(environment);
    expect([settings.demo, settings.publicScheme, settings.publicPortSuffix]).toEqual([false, 'http', ':3000']);
    expect([settings.trustedProxies, settings.smtpUrl, settings.metricsToken]).toEqual([[], undefined, undefined]);
  });

  it('uses https on the default port for a real domain', () => {
    const settings = readSettings({ ...environment, BASE_DOMAIN: 'tickets.example.org' });
    expect([settings.publicScheme, settings.publicPortSuffix]).toEqual(['https', '']);
  });

  it('adds Caddy as the only trusted proxy; it checks the host before it requests a certificate', () => {
    const caddy = readFileSync('docker/compose.caddy.yml', 'utf8');
    const caddyfile = readFileSync('docker/Caddyfile', 'utf8');
    expect(caddyfile).toMatch(/on_demand_tls \{\s+ask http:\/\/\S+\/tls\/ask\s+\}/);
    const [, address] = /ipv4_address: (\S+)/.exec(caddy) ?? [];
    const [, trusted] = /TRUSTED_PROXIES: (\S+)/.exec(caddy) ?? [];
    expect(trusted).toBe(address);
    expect(readSettings({ ...environment, PUBLIC_SCHEME: 'https', TRUSTED_PROXIES: trusted }).trustedProxies).toEqual([address]);
    expect(caddy).toContain('ports: !reset []');
  });

  it('adds every node of compose.citus.yml to its coordinator, which server and worker use without the database of compose.yml', () => {
    const text = readFileSync('docker/compose.citus.yml', 'utf8');
    const nodes = [...text.matchAll(/^ {2}(node-\d):$/gm)].map(([, name]) => name);
    expect([...text.matchAll(/citus_add_node\('(node-\d)', 5432\)/g)].map(([, name]) => name)).toEqual(nodes);
    for (const name of ['coordinator', ...nodes]) expect(text).toContain(`\n  ${name}-data:\n`);
    expect(text).toMatch(/image: citusdata\/citus:\d+\.\d+\n/);
    const [, url = ''] = /DATABASE_URL: (.*)/.exec(text) ?? [];
    const settings = { ...environment, DATABASE_URL: url.replaceAll(/\$\{.*?\}/g, 'x'), WORKER: 'separate', MAIL_FOLDER: '/data/mail' };
    expect(readSettings(settings).worker).toBe('separate');
    for (const name of ['postgres', 'pgbouncer']) {
      expect(compose).toContain(`\n  ${name}:\n`);
      expect(text).toContain(`\n  ${name}:\n    profiles: [one-server]\n`);
    }
  });

  it.each(['compose.yml', 'compose.ha.yml'])('%s passes every setting, but those of the image and its volume', (file) => {
    const text = readFileSync(`docker/${file}`, 'utf8');
    const block = /\n {2,4}environment:[^\n]*\n((?: {4,6}(?:#.*|[A-Z_]+:.*)\n)+)/.exec(text)?.[1] ?? '';
    const passed = [...block.matchAll(/^ +([A-Z_]+):/gm)].map(([, name]) => name as string);
    const missing = [...settingNames].filter((name) => !name.endsWith('_FILE') && !passed.includes(name));
    expect(missing.toSorted()).toEqual(['DATA_DIR', 'HOST', 'NODE_ENV', ...(file === 'compose.yml' ? ['MAIL_FOLDER'] : [])].toSorted());
    expect(passed.filter((name) => !settingNames.has(name))).toEqual([]);
  });

  it.each(['compose.yml', 'compose.ha.yml', 'compose.caddy.yml', 'compose.citus.yml'])(
    'hardens every container of %s like the application',
    (file) => {
      const text = readFileSync(`docker/${file}`, 'utf8');
      const hardened = /^ +read_only: true\n(?: +tmpfs:\n(?: +- .*\n)+)? +cap_drop:\n +- ALL\n/m;
      const block = (name: string): string => new RegExp(`^x-[\\w-]+: &${name}\\n((?: .*\\n)+)`, 'm').exec(text)?.[1] ?? '';
      const merged = (of: string): string => of.replaceAll(/^ +<<: \*([\w-]+)\n/gm, (_line, name: string) => merged(block(name)));
      const services = /^services:\n((?: .*\n|\n)+)/m.exec(text)?.[1] ?? '';
      // The file of Caddy changes the service of the application, which the other file hardens.
      const all = services.split(/^ {2}(?=[\w-]+:\n)/m).filter((one) => /^ +(?:image|build|<<):/m.test(one));
      expect(all.length).toBeGreaterThan(0);
      for (const one of all.map(merged)) {
        expect(one).toMatch(hardened);
        expect(one).toContain('- no-new-privileges:true');
      }
    },
  );

  it('documents every variable in .env.example with the same default', () => {
    const documented = new Map([...example.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name as string, value as string]));
    expect([...documented.keys()].toSorted()).toEqual([...variables.keys()].toSorted());
    for (const [name, otherwise] of variables) expect([name, documented.get(name)]).toEqual([name, otherwise ?? '']);
  });
});
