import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../support/sources.js';

/** Shapes of keys that grant access to something. Each matches real keys only, not the words that explain them. */
const shapes: Readonly<Record<string, RegExp>> = {
  'private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:\\n|\s)+[\w+/=]{40}/,
  AWS: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  GitHub: /\bgh[pousr]_[A-Za-z0-9]{36}|\bgithub_pat_\w{40}/,
  Google: /\bAIza[\w-]{35}/,
  npm: /\bnpm_[A-Za-z0-9]{36}\b/,
  Slack: /\bxox[abprs]-[\w-]{20}/,
  Stripe: /\b[sr]k_live_(?!\w*TestsOnly)[A-Za-z0-9]{16}/,
};

/** What is not part of the project: installed, built, or kept by tools and programs. */
const made = new Set(['.git', 'node_modules', 'dist', 'coverage', 'data']);

/** The shapes that a text contains. */
const secretsIn = (text: string): string[] => Object.keys(shapes).filter((name) => shapes[name]?.test(text));

describe('the files of the project', () => {
  it('contain no key that grants access to something', () => {
    const entries = readdirSync(root, { withFileTypes: true }).filter(({ name }) => !made.has(name) && !name.startsWith('.guichet'));
    const files = entries.flatMap((entry) =>
      entry.isDirectory()
        ? (readdirSync(join(root, entry.name), { recursive: true }) as string[]).map((name) => join(entry.name, name))
        : [entry.name],
    );
    const texts = files.filter((name) => /\.(?:[cm]?[jt]sx?|json|ya?ml|md|sh|env|css|sql|html|toml)$/.test(name));
    expect(texts.length).toBeGreaterThan(1000);
    const found = texts.flatMap((name) => secretsIn(readFileSync(join(root, name), 'utf8')).map((secret) => `${name}: ${secret}`));
    expect(found).toEqual([]);
  });

  it.each([
    ['private key', ['-----BEGIN EC PRIVATE', 'KEY-----\nMHcCAQEEIBkg2u0f4Lx0pA0jv5m0b1c2d3e4f5g6h7i8'].join(' ')],
    ['AWS', ['AKIA', 'ABCDEFGHIJKLMNOP'].join('')],
    ['GitHub', ['ghp_', 'a'.repeat(36)].join('')],
    ['Stripe', ['sk_live_', 'a1'.repeat(12)].join('')],
  ])('would be refused with a key of %s', (name, text) => {
    expect(secretsIn(text)).toEqual([name]);
  });
});
