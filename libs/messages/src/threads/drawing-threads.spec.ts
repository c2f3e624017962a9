import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { compiledBeside } from '#kernel';
import { inLongRuns } from '../../../../test/support/long-run.js';
import { reservationFacts } from '../../../../test/support/mail-facts.js';
import { printedCodes } from '../../../../test/support/pdf-codes.js';
import { readPdf } from '../../../../test/support/read-pdf.js';
import { ticketTexts } from '../documents/ticket-texts.js';
import type { TicketsDrawing } from '../drawings/drawing.js';
import { DrawingThreads, type DrawingThreadsOptions } from './drawing-threads.js';

let ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

function open(options: Partial<DrawingThreadsOptions> = {}): DrawingThreads {
  const threads = new DrawingThreads({ threads: 1, ...options });
  ends.push(() => threads.end());
  return threads;
}

/** A program that does `first` before it draws in its first thread, and only draws in later ones. */
async function faulty(first: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'guichet-drawing-'));
  ends.push(() => rm(folder, { recursive: true }));
  const real = pathToFileURL(compiledBeside(import.meta.url, 'drawing.worker.js')).href;
  const program = join(folder, 'program.mjs');
  await writeFile(
    program,
    `import { existsSync, writeFileSync } from 'node:fs';
     import { parentPort } from 'node:worker_threads';
     const begun = ${JSON.stringify(join(folder, 'begun'))};
     if (existsSync(begun)) await import(${JSON.stringify(real)});
     else parentPort.on('message', () => { writeFileSync(begun, ''); ${first} });`,
  );
  return program;
}

function tickets(holder: string, count = 1): TicketsDrawing {
  const holders = Array.from({ length: count }, () => holder);
  const about = { language: 'en', title: 'Tickets', author: 'Le Théâtre', subject: 'K7M-2QX' };
  return { kind: 'tickets', about, tickets: ticketTexts(reservationFacts('en', holders)) };
}

const textOf = async (pdf: Buffer): Promise<string> =>
  (await readPdf(pdf)).pages
    .flat()
    .map(({ text }) => text)
    .join('\n');

describe('drawings in threads', () => {
  it.each(
    inLongRuns(
      [
        ['ends', 'process.exit(3);'],
        ['runs out of memory', 'const all = []; for (;;) all.push(Array.from({ length: 100_000 }, () => ({})));'],
      ],
      [['ends', 'process.exit(3);']],
    ),
  )('repeats the drawing once when the thread %s', async (_case, first) => {
    const pdf = await open({ program: await faulty(first) }).draw(tickets('Zoë'));
    expect(await textOf(pdf)).toContain('Zoë');
  });

  it('fails after a second loss and says why, and draws again later', async () => {
    const program = await faulty('');
    const threads = open({ program });
    await writeFile(program, 'process.exit(7);');
    await expect(threads.draw(tickets('Zoë'))).rejects.toThrow(
      'The tickets could not be drawn. The drawing thread was lost: it ended with code 7',
    );
    await writeFile(program, `await import(${JSON.stringify(pathToFileURL(compiledBeside(import.meta.url, 'drawing.worker.js')).href)});`);
    expect(await textOf(await threads.draw(tickets('Ada')))).toContain('Ada');
  });

  it('ends a thread that takes too long', async () => {
    const program = await faulty('');
    await writeFile(program, 'setInterval(() => undefined, 1000); for (;;);');
    await expect(open({ program, limitMs: 300 }).draw(tickets('Zoë'))).rejects.toThrow(/took longer than 300 ms/);
  });

  it('reports an error of the drawing itself without repeating it, and keeps the thread', async () => {
    const threads = open();
    const broken = { ...tickets('Zoë'), tickets: null } as unknown as TicketsDrawing;
    await expect(threads.draw(broken)).rejects.toThrow('The tickets could not be drawn');
    expect(await threads.loadedFonts()).toEqual([[]]);
  });

  it('reads fonts for Arabic and for Chinese only when a text needs them, and each font once', async () => {
    const threads = open();
    const usual = ['DejaVuSansCondensed', 'DejaVuSansCondensed-Bold'];
    await threads.draw(tickets('Zoë Łukasiewicz Жанна Ωμέγα'));
    expect(await threads.loadedFonts()).toEqual([usual]);
    await threads.draw(tickets('王'));
    const [withChinese = []] = await threads.loadedFonts();
    expect(withChinese.filter((font) => !usual.includes(font))).toEqual([expect.stringContaining('noto-sans-sc')]);
    await threads.draw(tickets('مريم'));
    const [withArabic = []] = await threads.loadedFonts();
    expect(withArabic.filter((font) => !withChinese.includes(font))).toEqual(['DejaVuSansCondensed-Bold all']);
    await threads.draw(tickets('Ada'));
    expect(await threads.loadedFonts()).toEqual([withArabic]);
  });

  it('gives simultaneous drawings of several tenants their own tickets', async () => {
    const threads = open({ threads: 2 });
    const holders = ['Ada', 'Zoë', '王小明', 'Karim', 'Émile'];
    const drawn = await Promise.all(holders.map((holder, index) => threads.draw(tickets(holder, index + 1))));
    for (const [index, pdf] of drawn.entries()) {
      expect(printedCodes(pdf)).toHaveLength(index + 1);
      const text = await textOf(pdf);
      expect(holders.filter((holder) => text.includes(holder))).toEqual([holders[index]]);
    }
    expect((await threads.loadedFonts()).length).toBe(2);
  });

  it('does not keep a process running whose drawings are done, and ends all threads at shutdown', async () => {
    const compiled = pathToFileURL(compiledBeside(import.meta.url, 'drawing-threads.js')).href;
    const script = `const { DrawingThreads } = await import(${JSON.stringify(compiled)});
      const pdf = await new DrawingThreads({ threads: 1 }).draw(${JSON.stringify(tickets('Zoë'))});
      console.log(pdf.subarray(0, 5).toString());`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout).toBe('%PDF-\n');
    const threads = open();
    await threads.draw({ kind: 'qr-picture', code: 'K7M-2QX' });
    expect(await threads.loadedFonts()).toEqual([[]]);
    await threads.end();
    expect(await threads.loadedFonts()).toEqual([]);
  });
});
