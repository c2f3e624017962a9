import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';
import { describe, expect, it } from '@jest/globals';
import { pemBlock, readRsaKey } from './private-keys.js';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const encrypted = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open sesame' }).toString();
const legacy = privateKey.export({ type: 'pkcs1', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'open sesame' }).toString();

/** The encrypted key, for which a passphrase is hashed so many times. */
function withRounds(rounds: number): string {
  const message = forge.pem.decode(encrypted)[0]!;
  const info = forge.asn1.fromDer(message.body);
  const inside = (value: forge.asn1.Asn1, path: readonly number[]): forge.asn1.Asn1 =>
    path.reduce((one, index) => (one.value as forge.asn1.Asn1[])[index]!, value);
  inside(info, [0, 1, 0, 1, 1]).value = forge.asn1.integerToDer(rounds).getBytes();
  return forge.pem.encode({ ...message, body: forge.asn1.toDer(info).getBytes() });
}

describe('private keys', () => {
  it.each([
    ['PKCS #8', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), ''],
    ['PKCS #1 between other texts', `Bag Attributes\n${privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()}end`, ''],
    ['encrypted PKCS #8', encrypted, 'open sesame'],
    ['encrypted PKCS #1', legacy, 'open sesame'],
  ])('are read from %s', (_, text, passphrase) => {
    expect(readRsaKey(text, passphrase)?.equals(privateKey)).toBe(true);
  });

  it.each([
    ['nothing', '', ''],
    ['no key', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----', ''],
    ['a wrong passphrase', encrypted, 'wrong'],
    ['a missing passphrase', encrypted, ''],
    ['a cut text', encrypted.slice(0, 400), 'open sesame'],
    ['a short key', generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), ''],
    ['another kind', generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), ''],
  ])('are refused: %s', (_, text, passphrase) => {
    expect(readRsaKey(text, passphrase)).toBeUndefined();
  });

  it('do not block the process with a passphrase that takes millions of rounds', () => {
    const slow = withRounds(0x7fffff);
    const before = performance.now();
    expect(readRsaKey(slow, 'open sesame')).toBeUndefined();
    expect(performance.now() - before).toBeLessThan(2000);
  });

  it('are found between their lines', () => {
    expect(pemBlock('x-----BEGIN A-----\n1\n-----END A-----y', 'A')).toBe('-----BEGIN A-----\n1\n-----END A-----\n');
    expect(pemBlock('-----END A----------BEGIN A-----', 'A')).toBeUndefined();
  });
});
