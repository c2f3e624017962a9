import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import swc from 'unplugin-swc';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

const root = dirname(fileURLToPath(import.meta.url));
const file = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Set by `npm test`. */
const usesCompiled = Boolean(process.env.GUICHET_TEST_COMPILED);

/**
 * For `npm test`: tests use the compiled program, which Node loads in a fraction of the time in which Vitest transforms its sources. Without
 * it (coverage, editors, watching) they use the sources.
 */
const compiledProgram = {
  name: 'compiled-program',
  enforce: 'pre',
  resolveId(source, importer) {
    // `#lib` is an absolute path already, by the alias below.
    const path = isAbsolute(source) || !importer ? source : join(dirname(importer), source);
    const [, inside] = /^\/((?:libs|apps\/(?!door\/)).*)(?<!\.spec)\.[jt]s$/.exec(path.replace(root, '')) ?? [];
    return inside && join(root, 'dist', `${inside}.js`);
  },
};

/** The longest files begin first, so that none of them runs alone at the end. Vitest knows no durations in a fresh clone. */
const longest = [
  'panel.browser',
  'embedded-supervision.e2e',
  'booking-rush.e2e',
  'start.e2e',
  'cli.e2e',
  'webhook-failures.e2e',
  'api-lies.e2e',
  'busy-tenant.e2e',
  'hostile-input.e2e',
];

class LongestFirst extends BaseSequencer {
  async sort(files) {
    const place = ({ moduleId }) => longest.toReversed().findIndex((name) => moduleId.endsWith(`/${name}-spec.ts`));
    const sorted = await super.sort(files); // oxlint-disable-line unicorn/no-array-sort -- the sequencer's
    return sorted.toSorted((one, other) => place(other) - place(one));
  }
}

/** Unit specs beside their files; e2e, browser and house tests under test/. */
export default defineConfig({
  plugins: [
    ...(usesCompiled ? [compiledProgram] : []),
    swc.vite({
      tsconfigFile: false,
      jsc: {
        target: 'es2023',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      },
    }),
  ],
  resolve: {
    alias: [{ find: /^#([\w-]+)$/, replacement: file('./libs/$1/src/index.ts') }],
  },
  test: {
    include: ['libs/**/*.spec.ts', 'apps/**/*.spec.ts', 'test/**/*.{e2e,browser,house}-spec.ts'],
    globalSetup: ['test/support/global-setup.js'],
    setupFiles: ['test/statements/recorder.ts'],
    ...(usesCompiled && { server: { deps: { external: [/\/dist\//] } } }),
    pool: 'forks',
    isolate: false,
    // More than cores, because tests also wait.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: {
      provider: 'v8',
      include: ['libs/**/*.ts', 'apps/**/*.ts'],
      reporter: ['text-summary', 'html', 'lcov'],
    },
    // Passed tests are listed one by one only when they take this long.
    slowTestThreshold: 15_000,
  },
});
