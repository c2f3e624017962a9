import type { LimitTable } from '#kernel';

/** The program of the drawing threads reads it, too: it imports types only. */
export const limits = {
  drawings: {
    turns: { name: 'drawings', waiting: 100, waitingInAll: 500, waitMs: 60_000 },
    of: 'PDF files, pictures and whole mails that are drawn',
    why: 'more threads than processors take the time of the event loop',
    beyond: '503 `server.busy`',
    setting: 'DRAWING_THREADS',
  },
  drawing: {
    ms: 60_000,
    of: 'one drawing; then the thread is replaced and the drawing repeated once',
    why: 'a text that a font cannot bear stops all mails',
    beyond: 'the mail is repeated later; 500 for a PDF file',
  },
  idleThread: { ms: 300_000, of: 'a thread without drawings', why: 'its memory stays in use' },
  fonts: {
    kept: { most: 160 },
    of: 'parsed fonts of a thread, about 100 kB each',
    why: 'each ticket with Chinese characters reads twenty fonts',
  },
  words: { kept: { most: 1000 }, of: 'laid out words of a font', why: 'laying out words takes most of the time of a ticket' },
  clusters: { kept: { most: 5000 }, of: 'fonts of characters', why: 'see above' },
  fittedTexts: { kept: { most: 1000 }, of: 'broken texts', why: 'see above' },
} as const satisfies LimitTable;
