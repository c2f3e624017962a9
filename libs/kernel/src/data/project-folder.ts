import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The project's folder, found from compiled files and from sources.
 * @throws Error when there is none
 */
export function projectFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('The program cannot find its project folder');
    folder = parent;
  }
  return folder;
}

/**
 * The path of a compiled file in the folder of another module. Tests run the sources, but their worker threads start without the tests'
 * compiler and need the compiled file.
 * @param file URL of the other module, a source or a compiled file (`import.meta.url`)
 */
export function compiledBeside(file: string, name: string): string {
  const project = projectFolder();
  const folder = relative(project, dirname(fileURLToPath(file)));
  return join(project, folder.startsWith(`dist${sep}`) ? '' : 'dist', folder, name);
}
