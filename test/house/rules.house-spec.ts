import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { rules } from '../../libs/selling/src/rules/index.js';
import { codeOf, root } from '../support/sources.js';

const folder = 'libs/selling/src/rules';
/** Files beside the rules: what a rule sees, their list, their tests. */
const others = new Set(['sale.ts', 'index.ts', 'rules.spec.ts']);
const names = readdirSync(join(root, folder)).filter((name) => !others.has(name));

describe('the rules of selling', () => {
  it('stand in a file each, and once in the list', () => {
    expect(rules.map(({ name }) => `${name}.ts`).toSorted()).toEqual(names.toSorted());
  });

  it.each(names)('are pure: %s reads no database and no clock', (name) => {
    const code = codeOf(`${folder}/${name}`);
    expect(code).not.toMatch(/from '(?:#tenancy|#jobs|typeorm|pg)'|\bselect\b.*\bfrom\b|databaseNow|Date\.now|new Date\(\)/);
    // A rule knows no other rule.
    const imports = [...code.matchAll(/from '\.\/([\w-]+)\.js'/g)].map(([, file]) => file);
    expect(imports).toEqual(['sale']);
  });

  it('are each tested', () => {
    const spec = codeOf(`${folder}/rules.spec.ts`);
    for (const { name } of rules) expect(spec).toContain(`'${name}'`);
  });
});
