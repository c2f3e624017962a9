import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { compiledBeside } from '#kernel';

/** The files of a compiled program, and what they import from elsewhere. */
function importsOf(file: string, seen = new Map<string, string[]>()): Map<string, string[]> {
  if (seen.has(file)) return seen;
  const imported = [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?:[^'"]* from )?'([^']+)'/gm)].map(([, name]) => name!);
  seen.set(
    file,
    imported.filter((name) => !name.startsWith('.')),
  );
  for (const name of imported) if (name.startsWith('.')) importsOf(join(dirname(file), name), seen);
  return seen;
}

// Each thread would load it: `#kernel` takes a second of processor time, the thread itself a few hundredths.
it('the program of the drawing threads loads no other lib', () => {
  const files = importsOf(compiledBeside(import.meta.url, 'drawing.worker.js'));
  expect(files.size).toBeGreaterThan(10);
  expect([...files.values()].flat().filter((name) => name.startsWith('#'))).toEqual([]);
});
