#!/usr/bin/env node
/**
 * The program that `nest start --watch` (npm run dev) starts after each compilation and after each change of an asset: bundles
 * public pages, scanner app and panel when their sources changed, then becomes the server in this process, so that signals reach it.
 * Nest's CLI passes node's options and the compiled entry file.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

process.env.NODE_ENV ??= 'production';
process.setSourceMapsEnabled(true);

for (const name of ['build-pages.js', 'build-door.js', 'build-panel.js']) {
  const bundler = fileURLToPath(new URL(name, import.meta.url));
  const { status } = spawnSync(process.execPath, [bundler], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

const entry = process.argv.slice(2).find((word) => !word.startsWith('-'));
await import(pathToFileURL(resolve(`${entry}.js`.replace(/\.js\.js$/, '.js'))).href);
