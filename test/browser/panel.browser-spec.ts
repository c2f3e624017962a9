import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProductsService } from '#catalogue';
import { qrPicture } from '#panel-kit';
import { UsersService } from '#tenancy';
import { WebhookWorker } from '#webhooks';
import sharp from 'sharp';
import { inLongRuns } from '../support/long-run.js';
import type { TestApp } from '../support/test-app.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { loopbackAllowed } from '../support/webhooks.js';
import type { PageWatch } from './chromium.js';
import { accessFaults } from './page-faults.js';
import { signInAt } from './panel-sessions.js';
import { openPanelVenue, type PanelVenue } from './panel-venue.js';
import { expectClean, settled } from './panel-visits.js';

let panel: PanelVenue;
let test: TestApp;
const receivers: WebhookReceiver[] = [];
const languages = [
  {
    locale: 'en-GB',
    save: 'Save',
    start: 'Tonight',
    pairing: 'Address of the scanner',
    sendTest: 'Send a test',
    accepted: 'HTTP 200 · Accepted',
    scanned: 'Ticket scanned',
  },
  {
    locale: 'fr-FR',
    save: 'Enregistrer',
    start: 'Ce soir',
    pairing: 'Adresse de l’application de contrôle',
    sendTest: 'Envoyer un essai',
    accepted: 'HTTP 200 · Accepté',
    scanned: 'Billet scanné',
  },
] as const;

beforeAll(async () => {
  panel = await openPanelVenue('</script><script>alert("place")</script>', loopbackAllowed);
  ({ test } = panel);
  test.app.get(WebhookWorker).start();
});
afterAll(async () => {
  for (const receiver of receivers) await receiver.stop();
  await panel?.close();
});

const expectFine = (watch: PageWatch): void => expectClean(watch, `${panel.venue.host}:${test.port}`);

describe.each(inLongRuns(languages, languages.slice(0, 1)))('a person who works in the panel ($locale)', (words) => {
  it('pairs a new device with the code on its page', async () => {
    const watch = await panel.open(words.locale);
    const { page } = watch;
    expect(await page.textContent('h1')).toBe(words.start);
    await page.goto(panel.address('/resources/devices/actions/new'));
    await page.fill('#edit-name', `Door ${words.locale}`);
    await page.click(`button:has-text("${words.save}")`);

    await page.waitForSelector('img.gt-qr');
    await page.waitForSelector(`text=${words.pairing}`);
    const [door, text] = await page.locator('.gt-copy code').allTextContents();
    expect(text).toMatch(new RegExp(`^http://${panel.venue.host}:${test.port}/scan/[\\w-]{43}/pair$`));
    expect(door).toBe(`http://${panel.venue.host}:${test.port}/door/#pair=${text!.split('/')[4]}`);
    // The QR code opens the scanner app, and is visible.
    const picture = page.locator('img.gt-qr');
    expect(await picture.getAttribute('src')).toBe(await qrPicture(door!));
    expect(await page.evaluate<number>('document.querySelector("img.gt-qr").naturalWidth')).toBeGreaterThan(0);
    expect(page.url()).not.toContain(text!.split('/')[4]);

    const { body } = await test.on(panel.venue).get(new URL(text!).pathname).expect(200);
    expect(body).toMatchObject({
      success: true,
      device_name: `Door ${words.locale}`,
      api_key: expect.stringMatching(/^gdev_/),
    });
    // The page updates without a reload.
    await page.waitForSelector('.gt-pairing .gt-good', { timeout: 15_000 });
    await page.goto(panel.address('/resources/devices'));
    expect(await settled(watch)).toContain(`Door ${words.locale}`);
    expectFine(watch);
    await page.close();
  });

  it('shows a new key once', async () => {
    const watch = await panel.open(words.locale, '/resources/keys/actions/new');
    const { page } = watch;
    await page.fill('#edit-name', `Key ${words.locale}`);
    await page.check('input[value="event:read"]');
    await page.check('input[value="ticket:write"]');
    await page.click(`button:has-text("${words.save}")`);
    const text = await page.textContent('.gt-copy code');
    expect(text).toMatch(/^gkey_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
    expect(page.url()).not.toContain(text!.split('_')[2]);
    await page.reload();
    await page.waitForSelector('.gt-pairing .gt-lead');
    expect(await settled(watch)).not.toContain(text);
    expectFine(watch);
    await page.close();
  });

  it('creates a webhook endpoint, shows its secret once, and the result of a test', async () => {
    const receiver = await WebhookReceiver.start();
    receivers.push(receiver);
    const answer = '<script>alert("answer")</script>';
    receiver.behaviour = (_request, response) => response.writeHead(200).end(answer);
    const watch = await panel.open(words.locale, '/resources/webhook-endpoints/actions/new');
    const { page } = watch;
    // A long address, as some services use.
    const url = `${receiver.url}/${'incoming'.repeat(20)}?token=${'x'.repeat(60)}`;
    await page.fill('#edit-url', url);
    await page.click(`button:has-text("${words.save}")`);
    await page.waitForSelector('#edit-types-error');
    await page.check(`label:has-text("${words.scanned}") input`);
    await page.click(`button:has-text("${words.save}")`);
    const secret = await page.textContent('.gt-copy code');
    expect(secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
    expect(page.url()).not.toContain('whsec');
    await page.reload();
    await page.waitForSelector('.gt-pairing .gt-lead');
    expect(await settled(watch)).not.toContain(secret);

    receiver.secret = secret!;
    const sendTest = page.locator(`.gt-header button:has-text("${words.sendTest}")`);
    if (!(await sendTest.isVisible())) await page.click('.gt-header .gt-export summary');
    await sendTest.click();
    await page.waitForURL(/\/webhook-deliveries\/records\/[\w-]+\/show/);
    // The page shows the result without a reload.
    await page.waitForSelector(`text=${words.accepted}`);
    const [received] = receiver.received;
    const text = await settled(watch);
    expect(text).toContain(answer);
    expect(text).toContain(JSON.stringify(JSON.parse(received!.body), null, 2));
    expect(text).toContain(received!.id);
    expect(receiver.refused).toEqual([]);
    // The frame scrolls on its own, so the width of the list is measured.
    for (const path of ['/resources/webhook-endpoints', '/resources/webhook-deliveries']) {
      await page.goto(panel.address(path));
      await page.waitForSelector('.gt-table tbody tr');
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 });
        const list = '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector(".gt-list"))';
        expect(`${path}: ${await page.evaluate<number>(list)} px`).toBe(`${path}: 0 px`);
      }
    }
    expectFine(watch);
    await page.close();
  });
});

describe('the panel in Chromium', () => {
  it('shows what looks like markup as text', async () => {
    const { venue, address } = panel;
    const name = '</script><script>alert(1)</script><img src=x onerror=alert(2)>';
    const { id } = await test.inside(venue, () => test.app.get(ProductsService).create({ name, category: 'T', longDescription: name }));
    const watch = await panel.open('en-GB');
    for (const path of ['', '/resources/products', `/resources/products/records/${id}/show`, `/resources/products/records/${id}/edit`]) {
      await watch.page.goto(address(path));
      const text = await settled(watch);
      if (path.endsWith('show') || path.endsWith('products')) expect(text).toContain(name);
    }
    expectFine(watch);
    await watch.page.close();
  });

  it('focuses the first invalid field with its error, and prefills a new event', async () => {
    const watch = await panel.open('en-GB', '/resources/events/actions/new');
    const { page } = watch;
    await page.waitForFunction('document.querySelector("#edit-published")?.checked');
    expect(await page.inputValue('#edit-capacity')).toBe('50');
    await page.click('button:has-text("Save")');
    await page.waitForSelector('#edit-name-error');
    await page.locator('#edit-name:focus').waitFor();
    await page.fill('#edit-name', 'Late show');
    await page.selectOption('#edit-category', 'LIV');
    await page.fill('#edit-startsAt', '2027-03-20T20:30');
    await page.click('button:has-text("Save")');
    await page.waitForURL(/\/show/);
    // 20:30 in the venue's time zone, independent of the browser's.
    expect(await settled(watch)).toMatch(/Sat,? 20 Mar 2027, 20:30/);
    expectFine(watch);
    await page.close();
  });

  it('uploads a picture of a product, shows it, and removes it', async () => {
    const { venue, address } = panel;
    const { id } = await test.inside(venue, () => test.app.get(ProductsService).create({ name: 'Shirt', category: 'T' }));
    const watch = await panel.open('en-GB', `/resources/products/records/${id}/show`);
    const { page } = watch;
    // Rejects when the image cannot be decoded.
    const drawn = (src: string): Promise<unknown> =>
      page.locator(`img.gt-picture[src^="${src}"]`).evaluate('(picture) => picture.decode()');
    await page.click('a:has-text("Picture"), button:has-text("Picture")');
    await page.click('button:has-text("Save")');
    await page.waitForSelector('#img-error');
    const buffer = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    await page.setInputFiles('#img', { name: 'shirt.png', mimeType: 'image/png', buffer });
    await drawn('blob:');
    await page.click('button:has-text("Save")');
    await drawn('/images/');
    await page.goto(address(`/resources/products/records/${id}/show`));
    await drawn('/images/');
    await page.goto(address(`/resources/products/records/${id}/picture`));
    await page.click('button:has-text("Remove the picture")');
    await page.click('dialog button:has-text("Remove the picture")');
    await page.waitForSelector('text=No picture yet.');
    expectFine(watch);
    await page.close();
  });

  it('adds a passkey, signs in with it, and goes on with it after a dialog that loses nothing', async () => {
    const users = test.app.get(UsersService);
    const person = await users.create({ email: 'passkey@example.org', name: 'Ida' });
    await users.grant(person.id, { tenantId: panel.venue.id });
    const { page, faults } = await panel.visit('en-GB');
    const authenticator = await page.context().newCDPSession(page);
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    } as const;
    await authenticator.send('WebAuthn.enable');
    await authenticator.send('WebAuthn.addVirtualAuthenticator', { options });
    await signInAt(page, panel.address('/login?next=/admin/account'), person);
    await page.click('a:has-text("Add a passkey")');
    await page.fill('input[name=name]', 'Laptop');
    await page.click('button:has-text("Make the passkey")');
    await page.click('a:has-text("I have kept them")');
    await page.waitForSelector('strong:has-text("Laptop")');
    await page.goto(panel.address('/logout'));
    await page.click('button:has-text("Sign out"):visible');
    await page.click('button:has-text("Sign in with a passkey")');
    await page.waitForURL(panel.address(''));
    await page.goto(panel.address('/resources/keys/actions/new'));
    await page.fill('#edit-name', 'Till');
    await page.locator('input[type=checkbox]').first().check();
    await test.database.query(`update shared.panel_session set data = jsonb_set(data, '{provenAt}', '1') where user_id = $1`, [person.id]);
    const expected = new Set(faults);
    await page.click('button:has-text("Save")');
    await page.click('dialog button:has-text("Use a passkey")');
    await page.waitForURL(/\/resources\/keys\/records\/[^/]+\/reveal/);
    // The refusal, as the browser and the page report it.
    expect(faults.filter((fault) => !expected.has(fault) && !fault.includes('403'))).toEqual([]);
    expect(await test.database.query('select 1 from shared.api_key where name = $1', ['Till'])).toHaveLength(1);
    await page.context().close();
  });

  it('has pages about people, rights and changes in which axe finds nothing', async () => {
    const watch = await panel.signIn('en-GB');
    const users = test.app.get(UsersService);
    const person = await users.create({ email: 'factor@example.org', name: 'Ada' });
    await users.grant(person.id, { tenantId: panel.venue.id });
    await test.database.query(`insert into shared.second_factor (user_id, sealed_key, confirmed_at) values ('${person.id}', '', now())`);
    const product = await test.inside(panel.venue, () => test.app.get(ProductsService).create({ name: 'Mug', category: 'T' }));
    for (const path of [
      '',
      '/resources/people',
      '/resources/people/actions/invite',
      '/resources/people/actions/factorRoles',
      `/resources/people/records/${person.id}/show`,
      `/resources/people/records/${person.id}/change`,
      `/resources/products/records/${product.id}/history`,
      '/resources/roles/actions/new',
      '/resources/changes',
      '/resources/codes/actions/new',
      '/account',
      '/account/passkeys/new',
      '/forgotten',
      '/password/ended',
      '/invitation/ended',
    ]) {
      await watch.page.goto(panel.address(path));
      await settled(watch);
      expect([path, await accessFaults(watch.page)]).toEqual([path, []]);
    }
    await watch.page.close();
    const { page } = await panel.visit('en-GB');
    await signInAt(page, panel.address('/login'), person);
    await page.waitForURL(/\/login\/code/);
    expect(await accessFaults(page)).toEqual([]);
    await page.context().close();
  });

  it('signs out, and going back shows the sign-in', async () => {
    const watch = await panel.signIn('en-GB');
    await watch.page.click('button:has-text("Sign out"):visible');
    await watch.page.waitForURL(/\/admin\/login\?out/);
    await watch.page.goto(panel.address('/resources/tickets'));
    expect(watch.page.url()).toContain('/admin/login?next=');
    expectFine(watch);
    await watch.page.close();
  });
});
