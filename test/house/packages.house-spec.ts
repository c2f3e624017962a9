import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

interface Locked {
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
  readonly engines?: { readonly node?: string } | string[];
}

const program = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly engines: { readonly node: string };
  readonly allowScripts: Readonly<Record<string, boolean>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { readonly packages: Record<string, Locked> };
const locked = Object.entries(lock.packages).filter(([path]) => path !== '');
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const numbers = (version: string): number[] => version.split('.').map((part) => Number.parseInt(part, 10) || 0);
const compare = (one: number[], other: number[]): number =>
  [0, 1, 2].map((index) => (one[index] ?? 0) - (other[index] ?? 0)).find((difference) => difference !== 0) ?? 0;

/** Whether a version is in a range as package.json files write them: comparators, carets, `x`, spaces (and), `||` (or). */
function satisfies(version: string, range: string): boolean {
  const have = numbers(version);
  return range.split('||').some((alternative) =>
    [...alternative.matchAll(/(>=|<=|>|<|\^|~|=)?\s*v?([\dx*][\dx*.]*)/gi)].every(([, operator = '', text = '']) => {
      if (/^[x*]/i.test(text)) return true;
      const wanted = numbers(text);
      const order = compare(have, wanted);
      if (operator === '>=') return order >= 0;
      if (operator === '>') return order > 0;
      if (operator === '<=') return order <= 0;
      if (operator === '<') return order < 0;
      return have[0] === wanted[0] && order >= 0;
    }),
  );
}

describe('the installed packages', () => {
  it('have exact versions, so that two installations are the same', () => {
    const direct = Object.entries({ ...program.dependencies, ...program.devDependencies });
    expect(direct.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it('run install scripts only as package.json decides, and npm refuses all others', () => {
    const withScripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path));
    expect(Object.keys(program.allowScripts).toSorted()).toEqual([...new Set(withScripts)].toSorted());
    expect(readFileSync('.npmrc', 'utf8').split('\n')).toContain('strict-allow-scripts=true');
  });

  it('run on the oldest supported Node.js', () => {
    const oldest = /^>=(\d+\.\d+)$/.exec(program.engines.node)?.[1] as string;
    // npm skips optional packages on platforms they do not support.
    const unfit = locked
      .filter(([, { optional }]) => !optional)
      .map(([path, { engines }]) => [nameOf(path), Array.isArray(engines) ? undefined : engines?.node] as const)
      .filter(([, range]) => range !== undefined && !satisfies(`${oldest}.0`, range))
      .map(([name, range]) => `${name} wants ${range}`);
    expect(unfit).toEqual([]);
    expect(satisfies('20.19.0', '>=22.12.0')).toBe(false);
    expect(satisfies('20.19.0', '^18.17.0 || >=20.5.0')).toBe(true);
  });

  it('are locked without registry addresses', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });
});

/** The packages that Guichet is built with, and the code that shows what each of them does. */
const stack = {
  '@nestjs/core': /NestFactory\.create/,
  '@nestjs/platform-express': /extends ExpressAdapter|new ExpressAdapter/,
  typeorm: /new DataSource\(/,
  pg: /extends pg\.Client/,
  'class-validator': /await validate\(/,
  'class-transformer': /plainToInstance\(/,
  'passport-headerapikey': /extends PassportStrategy\(HeaderAPIKeyStrategy/,
  adminjs: /extends BaseResource/,
  '@adminjs/nestjs': /AdminModule\./,
};

describe('the packages that Guichet is built with', () => {
  const sources = ['apps', 'libs']
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));

  it.each(Object.entries(stack))('%s is a dependency, and the program calls it', (name, use) => {
    expect(Object.keys(program.dependencies)).toContain(name);
    // An import of types alone runs nothing.
    const imports = new RegExp(`^import (?!type\\b)[^;]*from '${name}';|import\\('${name}'\\)`, 'm');
    expect(sources.filter((text) => imports.test(text) && use.test(text))).not.toEqual([]);
  });

  it('jest runs the tests', () => {
    expect(Object.keys(program.devDependencies)).toContain('jest');
    expect(readFileSync('scripts/test.js', 'utf8')).toContain('node_modules/jest/bin/jest.js');
  });

  it('AccessGuard asks the strategy of passport-headerapikey', () => {
    expect(readFileSync('libs/tenancy/src/access/requests/access.ts', 'utf8')).toContain('this.strategy.principalOf(');
  });
});
