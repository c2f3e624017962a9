import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser, type Page } from 'playwright-core';

export interface TestBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/**
 * A real Chromium: the one of `CHROMIUM_PATH`, else the packaged one, unpacked into a folder of this run's own, so that neither another
 * user's nor a half-written one is met.
 */
export async function openChromium(): Promise<TestBrowser> {
  const folder = await mkdtemp(join(tmpdir(), 'guichet-chromium-'));
  const clean = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const executablePath = process.env['CHROMIUM_PATH'] ?? (await unpack(folder));
    // The package's own flags run everything in one process, where contexts mix up their cookies.
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    const close = async (): Promise<void> => {
      await browser.close();
      await clean();
    };
    return { browser, close };
  } catch (error) {
    await clean();
    throw error;
  }
}

/** In a process of its own: the package unpacks into the temporary folder that a process starts with. */
async function unpack(folder: string): Promise<string> {
  const program = `import chromium from '@sparticuz/chromium'; console.log(await chromium.executablePath());`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, TMPDIR: folder },
  });
  return stdout.trim();
}

/** What no page of ours may do; every entry is a fault. */
export interface PageWatch {
  readonly page: Page;
  /** Messages on the console, errors of scripts, refused content, answers of 400 and more, dialogs. */
  readonly faults: string[];
  /** Hosts that were asked for anything. */
  readonly hosts: Set<string>;
  /** Resolves when nothing is being loaded, and nothing more was asked for in the moment after. */
  still(): Promise<void>;
}

/** A page in a context of its own, watched from its first byte. */
export async function watchedPage(browser: Browser, locale: string): Promise<PageWatch> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale });
  const page = await context.newPage();
  const faults: string[] = [];
  const hosts = new Set<string>();
  let running = 0;
  const ended = (): void => {
    running -= 1;
  };
  page.on('requestfinished', ended).on('requestfailed', ended);
  const still = async (): Promise<void> => {
    for (let quiet = 0; quiet < 3; quiet = running > 0 ? 0 : quiet + 1) await page.waitForTimeout(30);
  };
  const note = (kind: string, text: string): void => {
    faults.push(`${kind} on ${page.url()}: ${text}`);
  };
  page.on('console', (message) => {
    // AdminJS's own scripts tell of React's coming changes.
    if (['error', 'warning'].includes(message.type())) note(message.type(), message.text());
  });
  page.on('pageerror', (error) => note('script', error.message));
  page.on('response', (response) => {
    if (response.status() >= 400) note(String(response.status()), response.url());
  });
  page.on('dialog', (dialog) => {
    note('dialog', dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    running += 1;
    const { protocol, host } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol)) hosts.add(host);
  });
  await context.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    console.error('refused ' + event.violatedDirective + ': ' + event.blockedURI))`);
  return { page, faults, hosts, still };
}
