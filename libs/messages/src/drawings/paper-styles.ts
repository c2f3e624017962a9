import type { TextStyle } from '../pdf/text-layout.js';

const ink = '#2a2326';
const soft = '#645a5f';
const accent = '#6b2d5c';

/** Text styles of tickets and cards. */
export const paperStyles = {
  venue: { weight: 'bold', sizes: [12, 10], color: accent, maxLines: 1 },
  number: { weight: 'regular', sizes: [10], color: soft, maxLines: 1 },
  event: { weight: 'bold', sizes: [24, 21, 18, 15], color: ink, maxLines: 3 },
  subtitle: { weight: 'regular', sizes: [13, 11, 9], color: ink, maxLines: 1 },
  when: { weight: 'bold', sizes: [12, 11, 10], color: ink, maxLines: 2 },
  place: { weight: 'regular', sizes: [11, 10, 9], color: soft, maxLines: 2 },
  holder: { weight: 'bold', sizes: [18, 15, 12], color: ink, maxLines: 2 },
  price: { weight: 'regular', sizes: [12, 10], color: ink, maxLines: 2 },
  foot: { weight: 'regular', sizes: [9, 8, 7], color: soft, maxLines: 1 },
} as const satisfies Record<string, TextStyle>;

/** Text styles of receipts. */
export const receiptStyles = {
  venue: { weight: 'bold', sizes: [13, 11], color: ink, maxLines: 2 },
  title: { weight: 'bold', sizes: [20, 16], color: ink, maxLines: 2 },
  text: { weight: 'regular', sizes: [11, 10], color: ink, maxLines: 2 },
  strong: { weight: 'bold', sizes: [11, 10], color: ink, maxLines: 2 },
  small: { weight: 'regular', sizes: [10, 9], color: soft, maxLines: 2 },
  paragraph: { weight: 'regular', sizes: [11, 10], color: ink, maxLines: 4 },
} as const satisfies Record<string, TextStyle>;

const black = '#000000';

/** Text styles of ticket sheets, black only, for office printers. */
export const sheetStyles = {
  event: { weight: 'bold', sizes: [13, 11.5, 10], color: black, maxLines: 3 },
  when: { weight: 'bold', sizes: [9, 8], color: black, maxLines: 2 },
  place: { weight: 'regular', sizes: [8.5, 7.5], color: black, maxLines: 2 },
  holder: { weight: 'bold', sizes: [11, 9.5], color: black, maxLines: 2 },
  price: { weight: 'regular', sizes: [9, 8], color: black, maxLines: 4 },
  reference: { weight: 'regular', sizes: [8.5, 7.5], color: black, maxLines: 1 },
  small: { weight: 'regular', sizes: [7.5, 6.5], color: black, maxLines: 1 },
} as const satisfies Record<string, TextStyle>;
