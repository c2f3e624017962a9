import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

export interface TestBrowser {
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Starts Chromium. @param flags further ones of its command line */
export async function openChromium(flags: readonly string[] = []): Promise<TestBrowser> {
  const options = await chromiumOptions(flags);
  const browser = await started(() => chromium.launch(options));
  return { browser, close: () => browser.close() };
}

/** Launches once more after a failure: rarely, Chromium itself crashes while it starts, before it has opened a page. */
export function started<T>(launch: () => Promise<T>): Promise<T> {
  return launch().catch(launch);
}

/** How tests start Chromium: the one in `CHROMIUM_PATH`, else the packaged one. */
export async function chromiumOptions(flags: readonly string[] = []): Promise<{ executablePath: string; args: string[] }> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? (await unpacked());
  // The package's default flags use a single process, in which contexts share cookies.
  return { executablePath, args: ['--no-sandbox', '--disable-gpu', ...flags] };
}

/** The packaged Chromium, unpacked once per run, in its folder: another folder may have an incomplete copy or one of another user. */
async function unpacked(): Promise<string> {
  const run = process.env['GUICHET_TEST_FOLDER'] as string;
  const folder = join(run, 'chromium');
  if (!existsSync(folder)) {
    const own = await mkdtemp(join(run, 'unpacking-'));
    await unpack(own);
    // Fails when another process was faster; its copy is complete.
    await rename(own, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  }
  return join(folder, 'chromium');
}

/** Runs in its own process, because the package reads the path of the temporary folder at start. */
async function unpack(folder: string): Promise<void> {
  const program = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, TMPDIR: folder },
  });
}

/** Watches a page for things that no page may do; every entry in `faults` is an error. */
export interface PageWatch {
  readonly page: Page;
  /** Console messages, script errors, blocked content, responses of 400 and more, dialogs. */
  readonly faults: string[];
  /** Hosts that received requests. */
  readonly hosts: Set<string>;
  /** Resolves when no request is running and none starts shortly after. */
  still(): Promise<void>;
}

/** Opens a page in its own context and watches it from the start. */
export async function watchedPage(browser: Browser, locale: string): Promise<PageWatch> {
  return watchedPageOf(await browser.newContext({ viewport: { width: 1280, height: 900 }, locale }));
}

/** Opens a further page in a context, with its cookies and its cache, and watches it from the start. */
export async function watchedPageOf(context: BrowserContext): Promise<PageWatch> {
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
    // AdminJS's own scripts log React's deprecation warnings.
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
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    console.error('refused ' + event.violatedDirective + ': ' + event.blockedURI))`);
  return { page, faults, hosts, still };
}
