import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The allowed imports between libs. Every lib must be listed. */
const allowedImports: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  http: ['kernel'],
  'embedded-postgres': [],
  tenancy: ['kernel', 'http', 'embedded-postgres'],
  jobs: ['kernel', 'tenancy'],
  webhooks: ['kernel', 'http', 'tenancy', 'jobs'],
  'api-document': ['kernel', 'http', 'tenancy'],
  catalogue: ['kernel', 'http', 'tenancy', 'jobs', 'webhooks'],
  messages: ['kernel', 'http', 'tenancy', 'catalogue'],
  wallet: ['kernel', 'tenancy', 'messages'],
  places: ['kernel', 'http', 'tenancy', 'jobs', 'webhooks', 'catalogue', 'messages'],
  orders: ['kernel', 'tenancy'],
  payments: ['kernel', 'http', 'tenancy', 'jobs', 'orders'],
  tickets: ['kernel', 'http', 'tenancy', 'jobs', 'webhooks', 'catalogue', 'payments', 'orders'],
  'gift-cards': ['kernel', 'http', 'tenancy', 'jobs', 'orders', 'payments', 'tickets'],
  transfers: ['kernel', 'http', 'tenancy', 'orders', 'payments', 'tickets'],
  memberships: ['kernel', 'http', 'tenancy', 'jobs', 'webhooks', 'catalogue', 'payments', 'orders', 'tickets', 'gift-cards'],
  selling: ['kernel', 'http', 'tenancy', 'jobs', 'catalogue', 'payments', 'orders', 'tickets', 'gift-cards', 'transfers', 'memberships'],
  waiting: ['kernel', 'http', 'tenancy', 'jobs', 'catalogue', 'tickets', 'selling'],
  notices: [
    'kernel',
    'http',
    'tenancy',
    'jobs',
    'catalogue',
    'messages',
    'wallet',
    'orders',
    'payments',
    'tickets',
    'gift-cards',
    'transfers',
    'memberships',
    'selling',
    'waiting',
  ],
  holders: [
    'kernel',
    'tenancy',
    'jobs',
    'webhooks',
    'catalogue',
    'messages',
    'tickets',
    'gift-cards',
    'transfers',
    'memberships',
    'selling',
    'waiting',
    'notices',
  ],
  'legacy-api': ['kernel', 'http', 'tenancy', 'catalogue', 'tickets'],
  cards: ['kernel', 'tenancy', 'tickets', 'holders'],
  scan: ['kernel', 'http', 'tenancy', 'webhooks', 'catalogue', 'tickets', 'memberships', 'cards'],
  'page-kit': ['kernel', 'http', 'tenancy', 'catalogue', 'payments', 'tickets', 'memberships', 'holders'],
  pages: [
    'kernel',
    'http',
    'tenancy',
    'catalogue',
    'messages',
    'wallet',
    'places',
    'payments',
    'tickets',
    'gift-cards',
    'transfers',
    'memberships',
    'selling',
    'waiting',
    'notices',
    'holders',
    'page-kit',
  ],
  shop: [
    'kernel',
    'http',
    'tenancy',
    'catalogue',
    'messages',
    'orders',
    'transfers',
    'payments',
    'tickets',
    'gift-cards',
    'memberships',
    'selling',
    'waiting',
    'notices',
    'holders',
    'cards',
    'page-kit',
    'pages',
  ],
  'semantic-v2': [
    'kernel',
    'http',
    'tenancy',
    'catalogue',
    'places',
    'payments',
    'tickets',
    'gift-cards',
    'transfers',
    'memberships',
    'selling',
    'notices',
    'cards',
  ],
  'panel-kit': ['kernel', 'http', 'tenancy'],
  panel: [
    'kernel',
    'tenancy',
    'jobs',
    'webhooks',
    'catalogue',
    'messages',
    'wallet',
    'places',
    'payments',
    'gift-cards',
    'tickets',
    'transfers',
    'memberships',
    'selling',
    'waiting',
    'notices',
    'holders',
    'cards',
    'scan',
    'pages',
    'panel-kit',
  ],
  demo: [
    'kernel',
    'http',
    'tenancy',
    'jobs',
    'catalogue',
    'places',
    'payments',
    'tickets',
    'transfers',
    'memberships',
    'selling',
    'waiting',
    'scan',
    'page-kit',
  ],
};

interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function sourcesBelow(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => {
      const path = relative(root, join(entry.parentPath, entry.name));
      const text = readFileSync(join(root, path), 'utf8');
      const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] as string);
      return { path, text, imports };
    });
}

const libs = readdirSync(join(root, 'libs'));
const programs = sourcesBelow('libs').filter(({ path }) => !path.endsWith('.spec.ts'));

/** All libs that a lib imports, directly or indirectly. */
function below(lib: string): Set<string> {
  const direct = allowedImports[lib] ?? [];
  return new Set([...direct, ...direct.flatMap((other) => [...below(other)])]);
}

/** The arrows of the diagram: direct imports that do not follow from other arrows. */
function edges(): string[] {
  return Object.entries(allowedImports).flatMap(([lib, others]) =>
    others.filter((one) => !others.some((other) => below(other).has(one))).map((other) => `  ${lib} --> ${other}`),
  );
}

describe('the boundaries of the libs', () => {
  it('reads existing sources', () => {
    expect(programs.length).toBeGreaterThan(60);
    expect(programs.flatMap(({ imports }) => imports).filter((name) => name.startsWith('#')).length).toBeGreaterThan(60);
  });

  it('knows every lib', () => {
    expect(libs.toSorted()).toEqual(Object.keys(allowedImports).toSorted());
  });

  it.each(libs)('lets %s import only its allowed libs', (lib) => {
    const upward = programs
      .filter(({ path }) => path.startsWith(`libs/${lib}/`))
      .flatMap(({ path, imports }) =>
        imports
          .filter((name) => name.startsWith('#') && !allowedImports[lib]?.includes(name.slice(1).replace(/\/.*/, '')))
          .map((name) => `${path} → ${name}`),
      );
    expect(upward).toEqual([]);
  });

  it('draws the imports in docs/architecture.md, with a row for each lib', () => {
    const path = join(root, 'docs/architecture.md');
    const text = readFileSync(path, 'utf8');
    const drawing = /(?<=```mermaid\ngraph BT\n)[\s\S]*?(?=\n```)/;
    if (process.env['UPDATE_DOCS']) writeFileSync(path, text.replace(drawing, edges().join('\n')));
    else expect(text.match(drawing)?.[0].split('\n')).toEqual(edges());
    const described = [...text.matchAll(/^\| `([\w-]+)` \|/gm)].map((match) => match[1]);
    expect(described.toSorted()).toEqual(libs.toSorted());
  });

  it('allows no import of another lib or app by path', () => {
    const isSpec = (path: string): boolean => path.endsWith('.spec.ts');
    const longRuns = 'test/support/long-run.js';
    const foreign = [...programs, ...sourcesBelow('apps')].flatMap(({ path, imports }) => {
      const home = path.split('/').slice(0, 2).join('/');
      return (
        imports
          .filter((name) => name.startsWith('.'))
          .map((name) => [name, relative(root, join(root, dirname(path), name))] as const)
          // The type of a lib's texts is that of its English catalogue. Specs ask whether this is a long run.
          .filter(([, target]) => target !== `locales/en/${path.split('/')[1]}.json` && !(isSpec(path) && target === longRuns))
          .filter(([, target]) => !target.startsWith(`${home}/`))
          .map(([name]) => `${path} → ${name}`)
      );
    });
    expect(foreign).toEqual([]);
  });

  it('lets only tenancy use a data source, a search path, a pool or a schema', () => {
    const forbidden = /\bDataSource\b|search_path|new (pg\.)?Pool\b|\bcreate schema\b|schemaName\b|pg_namespace/;
    const outside = [...programs, ...sourcesBelow('apps')]
      // The launcher of the embedded PostgreSQL configures the server and reads no data.
      .filter(({ path }) => !path.startsWith('libs/tenancy/') && !path.startsWith('libs/embedded-postgres/'))
      .filter(({ text }) => forbidden.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')))
      .map(({ path }) => path);
    expect(outside).toEqual([]);
  });

  it('uses the time of the database, not the clock of the process', () => {
    // Log lines, names of files, headers of HTTP, and waits of the embedded PostgreSQL; `databaseNow` falls back to it before it knows
    // better.
    const mayAsk = /\/(logger|mail-folder|parser-refusals|database-clock|database-checks|tenant-db)\.ts$|^libs\/embedded-postgres\//;
    // The scanner app runs on phones: it asks its own clock, and corrects it by the server's where the time decides.
    const others = [...programs, ...sourcesBelow('apps').filter(({ path }) => !path.startsWith('apps/door/'))]
      .filter(({ path }) => !mayAsk.test(path) && !path.startsWith('libs/demo/') && !path.includes('/components/'))
      .filter(({ text }) => /new Date\(\)|Date\.now\(\)/.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')))
      .map(({ path }) => path);
    expect(others).toEqual([]);
  });

  it('allows wire spellings only in DTO files', () => {
    const wire = /\b(prix|categorie_article|adress|max_per_ser|adhesion_obligatoire|organisation)\b/;
    const outside = programs
      .filter(({ path }) => !path.endsWith('.dto.ts') && !path.startsWith('libs/demo/'))
      .filter(({ text }) => wire.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replace(/'[^'\n]*[ ][^'\n]*'|`[^`]*`|"[^"\n]*"/g, '')))
      .map(({ path }) => path);
    expect(outside).toEqual([]);
  });
});
