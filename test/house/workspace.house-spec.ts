import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folders = (name: string): string[] => readdirSync(join(root, name)).toSorted();

interface Project {
  readonly type: string;
  readonly root: string;
  readonly sourceRoot: string;
  readonly entryFile: string;
  readonly compilerOptions?: { readonly assets?: ReadonlyArray<{ readonly include: string; readonly outDir: string }> };
}

interface Workspace {
  readonly monorepo: boolean;
  readonly compilerOptions: {
    readonly builder: string;
    readonly tsConfigPath: string;
    readonly includeLibraryAssets: string[];
  };
  readonly projects: Readonly<Record<string, Project>>;
}

interface Package {
  readonly imports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
  readonly scripts: Readonly<Record<string, string>>;
}

const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'));
const workspace = read('nest-cli.json') as Workspace;
const program = read('package.json') as Package;
const named = (type: string): string[] =>
  Object.entries(workspace.projects)
    .filter(([, project]) => project.type === type)
    .map(([name]) => name)
    .toSorted();

describe('nest-cli.json', () => {
  it('is a monorepo that tsc compiles', () => {
    expect(workspace.monorepo).toBe(true);
    expect(workspace.compilerOptions.builder).toBe('tsc');
    expect(existsSync(join(root, workspace.compilerOptions.tsConfigPath))).toBe(true);
  });

  it('lists every folder of apps as an application and every folder of libs as a library', () => {
    expect(named('application')).toEqual(folders('apps'));
    expect(named('library')).toEqual(folders('libs'));
  });

  it.each(Object.entries(workspace.projects))('names the real entry file of %s', (name, project) => {
    expect(project.root).toBe(`${project.type === 'application' ? 'apps' : 'libs'}/${name}`);
    expect(project.sourceRoot).toBe(`${project.root}/src`);
    expect(existsSync(join(root, project.sourceRoot, `${project.entryFile}.ts`))).toBe(true);
  });

  it('copies every folder of assets into the build, beside the compiled files', () => {
    const withAssets = folders('libs').filter((lib) => existsSync(join(root, 'libs', lib, 'src/assets')));
    // Components and style sheets of the panel are in the folders of their nouns.
    expect(workspace.compilerOptions.includeLibraryAssets.toSorted()).toEqual([...withAssets, 'panel'].toSorted());
    // Those of the panel are bundled into dist/panel, and only watched here.
    for (const lib of withAssets.filter((one) => one !== 'panel-kit'))
      expect(workspace.projects[lib]?.compilerOptions?.assets).toContainEqual({
        include: 'assets',
        outDir: `dist/libs/${lib}/src`,
      });
  });
});

describe('package.json', () => {
  it('imports every lib by name: the source for types, the compiled file at run time', () => {
    const expected = folders('libs').map((lib) => [
      `#${lib}`,
      { types: `./libs/${lib}/src/index.ts`, default: `./dist/libs/${lib}/src/index.js` },
    ]);
    // The panel's browser components import shared components.
    const components = { '#panel-kit/components/*': './libs/panel-kit/src/components/*' };
    expect(program.imports).toEqual({ ...Object.fromEntries(expected), ...components });
  });

  it('builds and watches with the Nest CLI', () => {
    expect(program.scripts['build']).toMatch(/^nest build\b/);
    expect(program.scripts['dev']).toMatch(/^nest start --watch\b/);
  });
});
