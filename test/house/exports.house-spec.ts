import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { codeOf, root, sourcesBelow } from '../support/sources.js';

const libs = readdirSync(join(root, 'libs'));

/** The names in the braces of an import or export, without `type`. @param side of `as`: 0 the original name, 1 the new one */
const namesIn = (braces: string, side: 0 | 1): string[] =>
  braces
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '')
    .map((name) => (side === 0 ? name.split(/ as |:/)[0] : name.split(' as ').at(-1)) as string)
    .map((name) => name.trim());

/** The names that a file exports, also those of the files that it exports whole. */
function exportedBy(path: string): string[] {
  const code = codeOf(path);
  const declared = code.matchAll(/^export (?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type|enum) (\w+)/gm);
  const listed = code.matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  const whole = code.matchAll(/^export (?:type )?\* from '(\.[^']+)'/gm);
  return [
    ...[...declared].map(([, name]) => name as string),
    ...[...listed].flatMap(([, braces]) => namesIn(braces as string, 1)),
    ...[...whole].flatMap(([, from]) => exportedBy(join(dirname(path), (from as string).replace(/\.js$/, '.ts')))),
  ];
}

/** The names that sources import from a lib, as `lib name`. */
function importedFrom(code: string): string[] {
  const imports = code.matchAll(/(?:import|export)\s+(?:type\s+)?(?:\w+,\s*)?\{([^}]*)\}\s+from\s+'#([\w-]+)'/g);
  const atRunTime = code.matchAll(/\{([^{}]*)\}\s*=\s*await import\(\s*'#([\w-]+)'/g);
  return [...imports, ...atRunTime].flatMap(([, braces, lib]) => namesIn(braces as string, 0).map((name) => `${lib} ${name}`));
}

const imported = new Set(sourcesBelow(['libs', 'apps', 'test', 'scripts'], /\.(tsx?|js)$/).flatMap(({ code }) => importedFrom(code)));
const exported = new Map(libs.map((lib) => [lib, new Set(exportedBy(`libs/${lib}/src/index.ts`))]));

describe('what libs export', () => {
  it('is read from every index', () => {
    expect([...exported.values()].filter((names) => names.size === 0)).toEqual([]);
    expect(imported.size).toBeGreaterThan(1000);
  });

  it.each(libs)('of %s is used elsewhere, name by name', (lib) => {
    expect([...(exported.get(lib) ?? [])].filter((name) => !imported.has(`${lib} ${name}`))).toEqual([]);
  });

  it('has each name once', () => {
    const names = [...exported.values()].flatMap((own) => [...own]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});
