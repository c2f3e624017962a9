/**
 * Generates the clients of docs/clients.md from the document of a running place, and runs the program of each section. For use by hand:
 * `node scripts/clients.js <address of a place> <API key> <openapi-generator-cli.jar> [section …]`. Needs Java, Maven, Python, npm and pip.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './build-if-stale.js';

const [address, key, jar, ...chosen] = process.argv.slice(2);
if (!address || !key || !jar) {
  console.error('Usage: node scripts/clients.js <address of a place> <API key> <openapi-generator-cli.jar> [section …]');
  process.exit(2);
}
const answer = await fetch(new URL('/api/v2/openapi-clients.json', address));
if (!answer.ok) throw new Error(`${answer.url} answers ${answer.status}.`);
const folder = mkdtempSync(join(tmpdir(), 'guichet-clients-'));
const document = join(folder, 'openapi-clients.json');
writeFileSync(document, await answer.text());

const generator = (name, ...more) => ['java', '-jar', jar, 'generate', '-i', document, '-g', name, '-o', 'client', ...more];
/** TypeScript is checked, then bundled, because generated imports have no extensions. */
const typescript = [
  ['npm', 'install', '--silent', 'typescript@5', 'esbuild', '@types/node'],
  [
    'npx',
    'tsc',
    '--strict',
    '--noEmit',
    '--skipLibCheck',
    '--target',
    'es2022',
    '--module',
    'esnext',
    '--moduleResolution',
    'bundler',
    'main.ts',
  ],
  ['npx', 'esbuild', 'main.ts', '--bundle', '--platform=node', '--format=esm', '--outfile=main.mjs', '--log-level=error'],
  ['node', 'main.mjs'],
];
const python = (...packages) => [
  ['python3', '-m', 'venv', 'venv'],
  ['venv/bin/pip', 'install', '--quiet', ...packages],
];
const sections = {
  'typescript-fetch': { file: 'main.ts', steps: [generator('typescript-fetch'), ...typescript] },
  python: { file: 'main.py', steps: [generator('python'), ...python('./client'), ['venv/bin/python', 'main.py']] },
  java: {
    file: 'client/src/main/java/Main.java',
    steps: [
      generator('java', '--library', 'native', '--additional-properties=openApiNullable=false'),
      ['mvn', '-q', '-f', 'client/pom.xml', '-DskipTests', 'compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'],
      ['sh', '-c', 'java -cp "client/target/classes:$(cat client/classpath)" Main'],
    ],
  },
  orval: {
    file: 'main.ts',
    steps: [['npx', '--yes', 'orval@7', '--config', 'orval.config.cjs'], ...typescript],
    more: {
      'orval.config.cjs': `module.exports = ${JSON.stringify({
        guichet: { input: document, output: { target: 'client.ts', client: 'fetch', baseUrl: new URL(address).origin } },
      })};`,
    },
  },
  'openapi-python-client': {
    file: 'main.py',
    steps: [
      ...python('openapi-python-client'),
      ['venv/bin/openapi-python-client', 'generate', '--path', document, '--output-path', 'client'],
      ['venv/bin/pip', 'install', '--quiet', './client'],
      ['venv/bin/python', 'main.py'],
    ],
  },
  'openapi-typescript': {
    file: 'main.ts',
    steps: [
      ['npm', 'install', '--silent', 'openapi-fetch'],
      ['npx', '--yes', 'openapi-typescript@7', document, '-o', 'client.d.ts'],
      ...typescript,
    ],
  },
};

const page = readFileSync(join(root, 'docs/clients.md'), 'utf8');
let failed = 0;
for (const [name, { file, steps, more = {} }] of Object.entries(sections)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const [, program = ''] = page.split(`\n## ${name}\n`)[1]?.match(/```\w+\n([\s\S]*?)```/) ?? [];
  const cwd = join(folder, name);
  mkdirSync(cwd);
  for (const [path, text] of Object.entries(more)) writeFileSync(join(cwd, path), text);
  const write = () => {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), program);
  };
  let printed = '';
  const ran = steps.every(([command, ...args]) => {
    write();
    const env = { ...process.env, GUICHET_URL: new URL(address).origin, GUICHET_KEY: key };
    const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env });
    if (status !== 0) console.error(`${command} ${args.join(' ')}\n${stdout}${stderr}`.slice(0, 4000));
    printed = stdout?.trim() ?? '';
    return status === 0;
  });
  const works = ran && /^Generated [\d.]+$/.test(printed);
  if (!works) failed += 1;
  console.log(`${name}: ${works ? 'works' : 'failed'}, printed: ${printed.slice(0, 200)}`);
}
console.log(`The clients are in ${folder}.`);
process.exit(failed > 0 ? 1 : 0);
