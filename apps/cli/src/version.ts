import { existsSync, readFileSync } from 'node:fs';

/** The version of this program, from the nearest package.json above, for compiled files and sources alike. */
export function programVersion(): string {
  let file = new URL('package.json', import.meta.url);
  while (!existsSync(file) && file.pathname !== '/package.json') file = new URL('../package.json', file);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}
