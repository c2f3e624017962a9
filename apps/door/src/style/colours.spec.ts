import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const sheet = readFileSync('apps/door/src/style/verdicts.css', 'utf8');
type Colour = readonly [number, number, number];

const part = (hex: string, at: number): number => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
const parse = (hex: string): Colour => [part(hex, 1), part(hex, 3), part(hex, 5)];
const each = ([red, green, blue]: Colour, change: (part: number) => number): Colour => [change(red), change(green), change(blue)];
const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const luminance = (colour: Colour): number => {
  const [red, green, blue] = each(colour, linear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (one: Colour, other: Colour): number => {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
};

/** Ground and text of each verdict, as the style sheet has them. */
const grounds = new Map(
  [...sheet.matchAll(/((?:\.result\.\w+,?\s*)+)\{\s*--ground: (#\w{6});\s*--on: (#\w{6});/g)].flatMap(
    ([, names = '', ground = '', on = '']) =>
      [...names.matchAll(/\.result\.(\w+)/g)].map(([, name = '']) => [name, { ground: parse(ground), on: parse(on) }] as const),
  ),
);

/** What people without red or green cones see (Viénot, Brettel and Mollon 1999), in linear light. */
const deficiencies: Readonly<Record<string, (colour: Colour) => Colour>> = {
  protanopia: ([red, green, blue]) => [
    0.11238 * red + 0.88762 * green,
    0.11238 * red + 0.88762 * green,
    0.00401 * red - 0.00401 * green + blue,
  ],
  deuteranopia: ([red, green, blue]) => [
    0.29275 * red + 0.70725 * green,
    0.29275 * red + 0.70725 * green,
    -0.02234 * red + 0.02234 * green + blue,
  ],
};
const distance = (one: Colour, other: Colour): number => Math.hypot(...one.map((part, at) => part - (other[at] as number)));
const perceived = (colour: Colour, see: (colour: Colour) => Colour): Colour =>
  each(see(each(colour, linear)), (light) => Math.max(0, light) ** (1 / 2.4));

describe('the colours of the verdicts', () => {
  it('have a contrast of at least 7', () => {
    expect([...grounds.keys()].toSorted()).toEqual(['ask', 'go', 'just', 'member', 'out', 'stop']);
    for (const [name, { ground, on }] of grounds) expect([name, contrast(ground, on) >= 7]).toEqual([name, true]);
  });

  it.each(Object.keys(deficiencies))('differ for people with %s', (name) => {
    const see = deficiencies[name] as (colour: Colour) => Colour;
    const seen = ['go', 'ask', 'stop', 'just'].map((verdict) => perceived((grounds.get(verdict) as { ground: Colour }).ground, see));
    const pairs = seen.flatMap((one, at) => seen.slice(at + 1).map((other) => distance(one, other)));
    expect(Math.min(...pairs)).toBeGreaterThan(0.1);
  });
});
