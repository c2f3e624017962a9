import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';
import { chromiumOptions, started } from './chromium.js';
import { phoneSize } from './door-phone.js';

/** A browser whose storage stays in a folder, like that of a phone. */
export interface Profile {
  readonly context: BrowserContext;
  /** Ends the browser at once, as an empty battery does. */
  kill(): Promise<void>;
}

/** @param folder storage of the phone: the same folder is the same phone */
export async function openProfile(folder: string, flags: readonly string[]): Promise<Profile> {
  const options = { ...(await chromiumOptions(flags)), viewport: phoneSize, locale: 'en-GB', permissions: ['camera'], hasTouch: true };
  const context = await started(() => chromium.launchPersistentContext(folder, options));
  const browser = context.browser();
  if (!browser) throw new Error('The browser of this profile is not known');
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const processes = processInfo as unknown as readonly { type: string; id: number }[];
  const pid = processes.find(({ type }) => type === 'browser')?.id;
  if (!pid) throw new Error('Chromium does not tell its process');
  return {
    context,
    kill: async () => {
      const closed = context.waitForEvent('close');
      process.kill(pid, 'SIGKILL');
      await closed;
    },
  };
}

/** Whether any file below a folder contains the text, in UTF-8 or UTF-16, in any case. */
export async function foldersHold(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  const wanted = text.toLowerCase();
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    // Single bytes as letters: UTF-16 then has a zero between them.
    const plain = bytes.toString('latin1').toLowerCase();
    if (plain.includes(wanted) || plain.replaceAll('\0', '').includes(wanted)) found.push(path.slice(folder.length + 1));
  }
  return found;
}
