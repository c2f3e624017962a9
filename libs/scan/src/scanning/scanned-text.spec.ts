import { describe, expect, it } from '@jest/globals';
import { scannedText } from './scanned-text.js';

const code = `AQFglL8Ele9PVIwI3BbSPVyT:${'s-_'.repeat(28)}Bw`;
const [data, signature] = code.split(':') as [string, string];

describe('what a scanner read', () => {
  it.each([
    ['a line break after it', `${code}\r\n`],
    ['STX and ETX around it', `\u0002${code}\u0003`],
    ['STX, ETX and a line break', `\u0002${code}\u0003\r`],
    ['the AIM identifier of QR codes', `]Q1${code}`],
    ['another AIM identifier in a frame', `\u0002]Q3${code}\u0003`],
    ['padding', `${data}:${signature}==`],
    ['padding of both parts', `${data}=:${signature}=`],
    ['an encoded colon', `${data}%3A${signature}`],
    ['an encoded colon and padding', `${data}%3a${signature}%3D%3d`],
    ['the code twice', code + code],
    ['the code twice, in two lines', `${code}\n${code}\n`],
    ['the code twice, each with an identifier', `]Q1${code}]Q1${code}`],
    ['the code twice, in two frames', `\u0002${code}\u0003\u0002${code}\u0003`],
    ['a byte order mark', `\uFEFF${code}`],
  ])('is the code, with %s', (_what, sent) => {
    expect(scannedText(sent)).toBe(code);
  });

  it.each([
    ['two different codes', `${code}\n${code.replace('AQF', 'AQG')}`],
    ['a code with something after it', `${code}x`],
    ['a code in two parts', `${data} :${signature}`],
    ['a code with too much padding', `${code}===`],
    ['three quarters of two codes', (code + code).slice(0, 170)],
    ['the tag of a card', '04A22F1B'],
  ])('stays as it is: %s', (_what, sent) => {
    expect(scannedText(sent)).toBe(sent);
  });

  it('is the tag of a card without its frame', () => {
    expect(scannedText('\u000204A22F1B\u0003\r\n')).toBe('04A22F1B');
  });
});
