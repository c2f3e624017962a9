/** Run by `npm install` and `npm ci`: installs the pre-commit hook of a git checkout, unless the developer has set another one. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });

if (existsSync(new URL('../.git', import.meta.url)) && !git('config', 'core.hooksPath').stdout?.trim()) {
  git('config', 'core.hooksPath', '.githooks');
}
