import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Circles that are still allowed: every circle found must lie within one of these sets. The list only shrinks. */
const allowedCircles: Readonly<Record<string, readonly string[]>> = {
  // The two entities of a TypeORM relation refer to each other.
  'libs/catalogue': ['files: entities/price.entity.ts entities/product.entity.ts'],
};

/** Folders of numbered steps, which grow by one file per change and are not split. */
const orderedFolders = new Set(['libs/tenancy/src/migrations']);

interface Import {
  readonly from: string;
  readonly to: string;
}

const isSource = (name: string) => /\.[jt]sx?$/.test(name) && !/\.spec\.tsx?$/.test(name);

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/** All relative imports inside a lib or app, those of types included; paths are relative to its `src`. */
function importsInside(home: string): Import[] {
  const src = `${home}/src`;
  const files = new Set(sourcesBelow(src).map((path) => relative(src, path)));
  return [...files].flatMap((from) => {
    const text = readFileSync(join(root, src, from), 'utf8');
    return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
      .map((match) => join(dirname(from), match[1] as string).replace(/\.jsx?$/, ''))
      .map((path) => [`${path}.ts`, `${path}.tsx`, `${path}.jsx`].find((name) => files.has(name)))
      .filter((to) => to !== undefined)
      .map((to) => ({ from, to }));
  });
}

/** Groups of nodes that import each other in a circle, each sorted (strongly connected components of more than one node). */
function circles(imports: readonly Import[], nodeOf: (file: string) => string): string[][] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [source, target] = [nodeOf(from), nodeOf(to)];
    if (source !== target) targets.set(source, (targets.get(source) ?? new Set()).add(target));
  }
  const reached = new Map([...targets.keys()].map((node) => [node, reachableFrom(node, targets)]));
  const members = [...targets.keys()].filter((node) => reached.get(node)?.has(node));
  const groups = members.map((node) =>
    members.filter((other) => reached.get(node)?.has(other) && reached.get(other)?.has(node)).toSorted(),
  );
  return [...new Map(groups.map((group) => [group.join(' '), group])).values()];
}

function reachableFrom(node: string, targets: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>();
  const waiting = [...(targets.get(node) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    waiting.push(...(targets.get(next) ?? []));
  }
  return reached;
}

/** `index.ts` and `*.module.ts` combine the parts: they import every folder, and no folder imports them. */
const composes = (file: string) => /(^|\/)(index|[\w-]+\.module)\.ts$/.test(file);

/** The table of limits of a lib: it imports nothing, and every folder imports it. */
const isTable = (file: string) => file === 'limits.ts';

function circlesOf(home: string): string[] {
  const imports = importsInside(home);
  const between = imports.filter(({ from, to }) => !composes(from) && !isTable(to));
  return [
    ...circles(imports, (file) => file).map((group) => `files: ${group.join(' ')}`),
    ...circles(between, (file) => dirname(file)).map((group) => `folders: ${group.join(' ')}`),
    ...circles(between, (file) => (file.includes('/') ? file.replace(/\/.*/, '') : '.')).map((group) => `folders: ${group.join(' ')}`),
  ];
}

const isWithin = (circle: string, allowed: string) => {
  const members = new Set(allowed.split(' '));
  return circle.split(' ').every((member) => members.has(member));
};

const homes = ['libs', 'apps'].flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`));

describe('the folders of the libs and apps', () => {
  it('finds circles between files and between folders', () => {
    const imports = [
      { from: 'a/one.ts', to: 'b/two.ts' },
      { from: 'b/two.ts', to: 'c.ts' },
      { from: 'b/three.ts', to: 'a/one.ts' },
    ];
    expect(circles(imports, (file) => file)).toEqual([]);
    expect(circles(imports, (file) => dirname(file))).toEqual([['a', 'b']]);
    expect(circles([...imports, { from: 'c.ts', to: 'a/one.ts' }], (file) => file)).toEqual([['a/one.ts', 'b/two.ts', 'c.ts']]);
  });

  it('reads existing imports', () => {
    expect(homes.flatMap(importsInside).length).toBeGreaterThan(1000);
  });

  it.each(homes)('form no circle of imports inside %s', (home) => {
    const allowed = allowedCircles[home] ?? [];
    expect(circlesOf(home).filter((circle) => !allowed.some((entry) => isWithin(circle, entry)))).toEqual([]);
  });

  it('has no exception for a circle that no longer exists', () => {
    const gone = Object.entries(allowedCircles).flatMap(([home, entries]) => {
      const found = homes.includes(home) ? circlesOf(home) : [];
      return entries.filter((entry) => !found.some((circle) => isWithin(circle, entry))).map((entry) => `${home} ${entry}`);
    });
    expect(gone).toEqual([]);
  });

  it('have at most twelve files side by side', () => {
    const sizes = new Map<string, number>();
    for (const path of [...sourcesBelow('libs'), ...sourcesBelow('apps')]) sizes.set(dirname(path), (sizes.get(dirname(path)) ?? 0) + 1);
    const large = [...sizes]
      .filter(([folder, size]) => size > 12 && !orderedFolders.has(folder))
      .map(([folder, size]) => `${folder}: ${size}`);
    expect(large).toEqual([]);
  });
});
