import { existsSync, readFileSync } from 'node:fs';

/** The version of this program: that of the nearest package.json above, from the compiled file as from the source. */
export function programVersion(): string {
  let file = new URL('package.json', import.meta.url);
  while (!existsSync(file) && file.pathname !== '/package.json') file = new URL('../package.json', file);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}
