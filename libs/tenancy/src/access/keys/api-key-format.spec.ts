import { describe, expect, it } from '@jest/globals';
import { mintKey, parseKey, secretFits } from './api-key-format.js';

describe('an API key', () => {
  it('is parsed into its parts', () => {
    for (const kind of ['gdev', 'gkey'] as const) {
      const { key, id, secretHash } = mintKey(kind);
      const parsed = parseKey(key);
      expect(parsed).toMatchObject({ kind, id });
      expect(secretFits(parsed!.secret, secretHash)).toBe(true);
      expect(secretFits(parsed!.secret, mintKey(kind).secretHash)).toBe(false);
      expect(secretFits(parsed!.secret, undefined)).toBe(false);
    }
  });

  it('is recognised as mistyped for any changed character and any two swapped ones', () => {
    const { key } = mintKey('gdev');
    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === 'A' ? 'B' : 'A';
      expect(parseKey(key.slice(0, at) + other + key.slice(at + 1))).toBeUndefined();
      if (at > 0 && key[at] !== key[at - 1]) {
        expect(parseKey(key.slice(0, at - 1) + key[at] + key[at - 1] + key.slice(at + 1))).toBeUndefined();
      }
    }
  });

  it('differs every time', () => {
    expect(new Set(Array.from({ length: 500 }, () => mintKey('gkey').key)).size).toBe(500);
  });
});
