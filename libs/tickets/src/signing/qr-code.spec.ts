import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { codeIsGenuine, codeIsSignedWith, parseCode, renderCode } from './qr-code.js';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const ticketId = '0b2c7a52-91f4-4e8d-8a33-5d1c6f7e9a10';

describe('a ticket code', () => {
  it('has 111 characters, is deterministic, and contains the ids of its key and ticket', () => {
    const code = renderCode(7, ticketId, privateKey);
    expect(code).toHaveLength(111);
    expect(renderCode(7, ticketId, privateKey)).toBe(code);
    const parsed = parseCode(code);
    expect(parsed).toMatchObject({ keyId: 7, ticketId });
    expect(codeIsGenuine(parsed!, publicKey)).toBe(true);
    expect(codeIsSignedWith(parsed!, privateKey)).toBe(true);
    const other = generateKeyPairSync('ed25519').privateKey;
    expect(codeIsGenuine(parsed!, createPublicKey(other))).toBe(false);
    expect(codeIsSignedWith(parsed!, other)).toBe(false);
  });

  it('has 115 characters after a transfer, and contains the number of transfers', () => {
    const code = renderCode(7, ticketId, privateKey, 300);
    expect(code).toHaveLength(115);
    const parsed = parseCode(code);
    expect(parsed).toMatchObject({ keyId: 7, ticketId, codeVersion: 300 });
    expect(codeIsGenuine(parsed!, publicKey)).toBe(true);
    expect(parseCode(renderCode(7, ticketId, privateKey))).toMatchObject({ codeVersion: 0 });
    // Neither format with the version of the other.
    const [data, signature] = code.split(':') as [string, string];
    expect(parseCode(`${data.slice(0, 24)}:${signature}`)).toBeUndefined();
    expect(parseCode(`${renderCode(7, ticketId, privateKey).slice(0, 24)}AAAA:${signature}`)).toBeUndefined();
  });

  it('has only one valid spelling: none of 20,000 mutations is genuine', () => {
    const code = renderCode(1, ticketId, privateKey);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_:=+/ ';
    let parsedMutations = 0;
    for (let round = 0; round < 20_000; round += 1) {
      const [first = 0, second = 0, third = 0] = randomBytes(3);
      const at = first % code.length;
      const mutated = code.slice(0, at) + alphabet[second % alphabet.length] + code.slice(at + 1 + (third % 50 === 0 ? 1 : 0));
      if (mutated === code) continue;
      const parsed = parseCode(mutated);
      if (!parsed) continue;
      parsedMutations += 1;
      if (codeIsGenuine(parsed, publicKey) || codeIsSignedWith(parsed, privateKey)) throw new Error(`accepted: ${mutated}`);
    }
    expect(parsedMutations).toBeGreaterThan(5000);
  });
});
