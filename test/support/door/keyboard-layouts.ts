/** Names of keys in the order of the rows below: what a key reports as `code` on every layout. */
const codes = [
  ...Array.from('1234567890', (digit) => `Digit${digit}`),
  'Minus',
  ...Array.from('QWERTYUIOPASDFGHJKL', (letter) => `Key${letter}`),
  'Semicolon',
  ...Array.from('ZXCVBNM', (letter) => `Key${letter}`),
  'Comma',
  'Period',
  'Slash',
];

/** What the keys type, without and with Shift. */
const rows = {
  us: ['1234567890-qwertyuiopasdfghjkl;zxcvbnm,./', '!@#$%^&*()_QWERTYUIOPASDFGHJKL:ZXCVBNM<>?'],
  french: [`&é"'(-è_çà)azertyuiopqsdfghjklmwxcvbn,;:!`, '1234567890°AZERTYUIOPQSDFGHJKLMWXCVBN?./§'],
  german: ['1234567890ßqwertzuiopasdfghjklöyxcvbnm,.-', `!"§$%&/()=?QWERTZUIOPASDFGHJKLÖYXCVBNM;:_`],
} as const;

export type KeyboardLayout = keyof typeof rows;

/** One key that was pressed. */
export interface KeyPress {
  readonly code: string;
  readonly shift: boolean;
  /** The character that the phone understands. */
  readonly key: string;
}

/**
 * The keys that a keyboard scanner presses for a text, as a phone understands them.
 * @param scanner layout for which the scanner is set up
 * @param phone layout of the phone's keyboard
 */
export function keysOf(text: string, scanner: KeyboardLayout, phone: KeyboardLayout): KeyPress[] {
  return Array.from(text, (character) => {
    const shift = !rows[scanner][0].includes(character);
    const place = rows[scanner][shift ? 1 : 0].indexOf(character);
    if (place < 0) throw new Error(`The layout ${scanner} has no ${character}`);
    return { code: codes[place] as string, shift, key: rows[phone][shift ? 1 : 0][place] as string };
  });
}
