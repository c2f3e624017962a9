import type { KeyRing } from './key-ring.js';
import { parseCode } from './parse-code.js';

/** One key press of a keyboard scanner, as the event has it. */
export interface Stroke {
  /** `KeyboardEvent.key`: the character in the layout of the phone. */
  readonly key: string;
  /** `KeyboardEvent.code`: the place of the key; empty on some phones. */
  readonly code: string;
  readonly shift: boolean;
}

/** The characters of codes and tags on one layout: by place, without and with shift. */
type Layout = Readonly<Record<string, readonly [string, string]>>;

const letters = (swapped: Readonly<Record<string, string>> = {}): Layout =>
  Object.fromEntries(
    [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((place) => {
      const letter = swapped[place] ?? place;
      return [`Key${place}`, [letter.toLowerCase(), letter]] as const;
    }),
  );
const digits = (characters: (digit: string) => readonly [string, string]): Layout =>
  Object.fromEntries([...'0123456789'].map((digit) => [`Digit${digit}`, characters(digit)] as const));
const numpad: Layout = Object.fromEntries([...'0123456789'].map((digit) => [`Numpad${digit}`, [digit, digit]] as const));

const us: Layout = { ...letters(), ...digits((digit) => [digit, '']), ...numpad, Minus: ['-', '_'], Semicolon: [';', ':'] };
const azerty: Layout = {
  ...letters({ A: 'Q', Q: 'A', W: 'Z', Z: 'W', M: '' }),
  ...digits((digit) => [({ 6: '-', 8: '_' } as Readonly<Record<string, string>>)[digit] ?? '', digit]),
  ...numpad,
  Semicolon: ['m', 'M'],
  Period: [':', '/'],
};
const qwertz: Layout = {
  ...letters({ Y: 'Z', Z: 'Y' }),
  ...digits((digit) => [digit, '']),
  ...numpad,
  Period: ['.', ':'],
  Slash: ['-', '_'],
};
const layouts: readonly Layout[] = [us, azerty, qwertz];

/** The most strokes of one code; longer input is cut at its beginning. */
export const mostStrokes = 200;

/**
 * What a keyboard scanner may have meant: the characters that the phone understood, and the places of the keys read as US, French and
 * German layout, each also with upper and lower case exchanged (caps lock). Without double entries; the likeliest first.
 */
export function candidatesOf(strokes: readonly Stroke[]): string[] {
  const used = strokes.filter(({ key }) => key.length === 1).slice(-mostStrokes);
  const typed = used.map(({ key }) => key).join('');
  const read = layouts.map((layout) => used.map((stroke) => characterOf(layout, stroke)).join(''));
  const plain = [typed, ...read];
  return [...new Set([...plain, ...plain.map(exchangeCase)])].filter((text) => text !== '');
}

/**
 * The text of a keyboard scanner whose layout differs from the phone's: the candidate whose signature verifies; else one with the format
 * of a code; else what the phone understood.
 */
export async function textOfStrokes(strokes: readonly Stroke[], keys: KeyRing): Promise<string> {
  const candidates = candidatesOf(strokes);
  const codes = candidates
    .flatMap(endsOf)
    .map(parseCode)
    .filter((code) => code !== undefined);
  for (const code of codes) if ((await keys.verifyCode(code)) === 'genuine') return code.text;
  return codes[0]?.text ?? candidates[0]?.trim() ?? '';
}

/** Scanners may put the identifier of QR codes before a code, pad it, or type it twice: it is at the end in both of its lengths. */
function endsOf(text: string): string[] {
  const plain = text.trim().replaceAll('=', '');
  return [plain, plain.slice(-111), plain.slice(-115)];
}

function characterOf(layout: Layout, { code, key, shift }: Stroke): string {
  return layout[code]?.[shift ? 1 : 0] || (code === '' ? key : '');
}

function exchangeCase(text: string): string {
  return text.replaceAll(/[a-z]+|[A-Z]+/g, (run) => (run === run.toLowerCase() ? run.toUpperCase() : run.toLowerCase()));
}
