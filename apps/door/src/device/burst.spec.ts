import { expect, it } from '@jest/globals';
import { Burst } from './burst.js';

const type = (burst: Burst, text: string, every: number, from = 0): void => {
  for (const [place, key] of [...text].entries()) burst.add({ key, code: '', shift: false }, from + place * every);
};
const textOf = (burst: Burst): string | undefined =>
  burst
    .take()
    ?.map(({ key }) => key)
    .join('');

it('keys that follow each other quickly are a code', () => {
  const burst = new Burst();
  type(burst, 'ABCDEFGHIJ', 20);
  expect(burst.isCode).toBe(true);
  expect(textOf(burst)).toBe('ABCDEFGHIJ');
  expect(burst.isCode).toBe(false);
});

it('keys of a person are none, and do not get into the next code', () => {
  const burst = new Burst();
  type(burst, 'slow typing', 200);
  expect(textOf(burst)).toBeUndefined();
  type(burst, 'ab', 20, 10_000);
  type(burst, '0123456789', 20, 11_000);
  expect(textOf(burst)).toBe('0123456789');
});

it('shift is no character, and the oldest keys of endless input are dropped', () => {
  const burst = new Burst();
  burst.add({ key: 'Shift', code: 'ShiftLeft', shift: true }, 0);
  type(burst, 'x'.repeat(500) + 'end', 1, 10);
  const text = textOf(burst);
  expect(text).toHaveLength(200);
  expect(text).toMatch(/xend$/);
});

it('a code that a busy phone hears in two parts stays one', () => {
  const burst = new Burst();
  type(burst, '0123456789', 20);
  type(burst, 'ABCDEFGHIJ', 20, 180 + 250);
  expect(textOf(burst)).toBe('0123456789ABCDEFGHIJ');
});
