import { beforeAll, describe, expect, it } from '@jest/globals';
import { makeSigner, renderCode } from '../testing/model-tickets.js';
import { candidatesOf, textOfStrokes, type Stroke } from './keyboard.js';
import { KeyRing } from './key-ring.js';
import { parseCode, readText } from './parse-code.js';

const ticketId = '0b2c7a52-91f4-4e8d-8a33-5d1c6f7e9a10';
let signer: Awaited<ReturnType<typeof makeSigner>>;
let keys: KeyRing;
beforeAll(async () => {
  signer = await makeSigner('7');
  keys = new KeyRing([signer.jwk]);
});

/** Where a US scanner presses a character, and what a phone with another layout understands. */
const usPlaces: Readonly<Record<string, readonly [code: string, shift: boolean]>> = {
  '-': ['Minus', false],
  _: ['Minus', true],
  ':': ['Semicolon', true],
};
function typedAsUs(text: string, understood: (character: string) => string): Stroke[] {
  return [...text].map((character) => {
    const digit = /\d/.test(character);
    const place = usPlaces[character] ?? [digit ? `Digit${character}` : `Key${character.toUpperCase()}`, /[A-Z]/.test(character)];
    return { key: understood(character), code: place[0], shift: place[1] };
  });
}
const swapped =
  (pairs: string) =>
  (character: string): string => {
    const at = pairs.indexOf(character);
    return at === -1 ? character : (pairs[at ^ 1] as string);
  };

describe('codes of tickets', () => {
  it('are read in both formats and verified offline', async () => {
    const [plain, given] = [await renderCode(signer, ticketId), await renderCode(signer, ticketId, 300)];
    expect(parseCode(plain)).toMatchObject({ kid: '7', ticketId, transfers: 0 });
    expect(parseCode(given)).toMatchObject({ kid: '7', ticketId, transfers: 300 });
    expect([plain.length, given.length]).toEqual([111, 115]);
    for (const code of [plain, given]) expect(await keys.verifyCode(parseCode(code)!)).toBe('genuine');
    expect(await new KeyRing([(await makeSigner('7')).jwk]).verifyCode(parseCode(plain)!)).toBe('forged');
    expect(await new KeyRing([]).verifyCode(parseCode(plain)!)).toBe('unknown_key');
  });

  it('have one spelling', async () => {
    const code = await renderCode(signer, ticketId);
    const last = code.at(-1) as string;
    const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].filter((one) => one !== last);
    for (const one of others) {
      const parsed = parseCode(code.slice(0, -1) + one);
      if (parsed) expect(await keys.verifyCode(parsed)).toBe('forged');
    }
    expect(readText(`  ${code}\r\n`, 'keyboard').kind).toBe('ticket');
    expect(readText('04:A2:2F:10', 'nfc')).toEqual({ kind: 'card', tag: '04A22F10' });
    expect(readText('7d5730a7', 'typed')).toEqual({ kind: 'reference', reference: '7d5730a7' });
    expect(readText('https://example.org', 'camera').kind).toBe('malformed');
  });
});

describe('keyboard scanners', () => {
  it('give the same code on a phone with US, French and German layout', async () => {
    const code = await renderCode(signer, ticketId);
    const french = swapped('aqAQzwZW');
    const german = swapped('yzYZ');
    for (const understood of [(one: string) => one, french, german])
      expect(await textOfStrokes(typedAsUs(code, understood), keys)).toBe(code);
  });

  it('give the code that has an identifier before it, is padded, or comes twice', async () => {
    for (const code of [await renderCode(signer, ticketId), await renderCode(signer, ticketId, 3)])
      for (const text of [`]Q1${code}`, `${code}==`, code + code, `]Q1${code}]Q1${code}`])
        for (const understood of [(one: string) => one, swapped('yzYZ')])
          expect(await textOfStrokes(typedAsUs(text, understood), keys)).toBe(code);
  });

  it('give the code when the scanner writes French or German, or the caps lock is on', async () => {
    const code = await renderCode(signer, ticketId);
    const exchanged = [...code].map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('');
    expect(
      await textOfStrokes(
        [...exchanged].map((key) => ({ key, code: '', shift: false })),
        keys,
      ),
    ).toBe(code);
    const german = typedAsUs(code, (one) => one).map((stroke): Stroke => {
      const place = { KeyY: 'KeyZ', KeyZ: 'KeyY', Minus: 'Slash', Semicolon: 'Period' }[stroke.code] ?? stroke.code;
      return { ...stroke, code: place, key: '?' };
    });
    expect(await textOfStrokes(german, keys)).toBe(code);
    expect(candidatesOf([])).toEqual([]);
  });
});
