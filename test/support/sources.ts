import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A source: its path from the root, and its text without comments. */
export interface Source {
  readonly path: string;
  readonly code: string;
}

/** The text of a source without comments. @param path from the root */
export function codeOf(path: string): string {
  return readFileSync(join(root, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '$1');
}

/** The sources below folders whose names match. */
export function sourcesBelow(folders: readonly string[], name: RegExp): Source[] {
  return folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .map((path) => ({ path, code: codeOf(path) }));
}
