import { HolderLinks } from '#tickets';
import { WalletAccountsService } from '#wallet';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { book } from '../support/booking.js';
import { newDevice, newEvent, type PairedDevice } from '../support/builders.js';
import { scanApi } from '../support/scan-api.js';
import { codeOfTicket } from '../support/ticket-transfers.js';
import { until } from '../support/until.js';
import { newApple, newGoogle } from '../support/wallet-keys.js';
import { onPhone, seenAs, ShopVenue } from '../browser/shop-venue.js';
import { visit, visitTimeout } from '../browser/visitor-pages.js';
import { giveTicket, pendingOfferOf } from '../support/given-tickets.js';

const venue = new ShopVenue();
let gate: PairedDevice;
const { scan, check } = scanApi(() => ({ test: venue.test, venue: venue.tenant, device: gate }));

beforeAll(async () => {
  gate = await newDevice(venue.test, venue.tenant);
  await venue.inside(() => venue.test.app.get(WalletAccountsService).saveApple(newApple()));
  await venue.inside(() => venue.test.app.get(WalletAccountsService).saveGoogle(newGoogle()));
});

/** The page of a paid reservation of three tickets, and the second one. */
async function sold() {
  const { test, tenant } = venue;
  const name = `Nuit du jazz ${randomUUID().slice(0, 4)}: trio Łukasiewicz`;
  const event = await newEvent(test, tenant, { name, startsAt: new Date(Date.now() + 864_000_000) });
  const paid = { confirmed: true, paymentMethod: 'cash', firstName: 'Ada', lastName: 'Martin', email: 'ada@example.org' } as const;
  const { id, tickets } = await book(test, tenant, event, { quantity: 3, ...paid });
  return { id, path: await venue.pathOf(id), ticket: tickets[1]! };
}

describe("the holder's page", () => {
  it.concurrent.each(onPhone)(
    `turns from ticket to ticket, renames one and gives it away; the door refuses its old code, ${seenAs}`,
    async (seen) => {
      const { id, path, ticket } = await sold();
      const ticketId = ticket.id;
      const codeNow = (): Promise<string> => codeOfTicket(venue.test, venue.tenant, id, ticketId);
      const old = await codeNow();
      expect((await check({ qrcode_data: old }).expect(200)).body.may_enter).toBe(true);
      const buyer = await venue.buyer(seen);
      const { page } = buyer;
      await buyer.open(path);
      await buyer.look('transfer-1-tickets');
      for (const name of ['Add to Apple Wallet', 'Add to Google Wallet'])
        expect((await page.locator('#ticket-1').getByRole('link', { name }).boundingBox())!.height).toBeGreaterThan(43);
      const second = page.locator('#ticket-2');
      // A phone shows one ticket at a time, a desk all of them.
      if (seen.width === 390) {
        expect((await page.locator('#ticket-1 .code svg').boundingBox())!.width).toBeGreaterThan(300);
        await page.getByRole('link', { name: 'Next ticket' }).first().click();
        await until(
          async () => Math.round((await second.boundingBox())!.x),
          (x) => x < 30,
        );
      }
      await second.getByRole('link', { name: 'Change the name' }).click();
      await page.getByLabel('First name').fill('Zoë');
      await buyer.look('transfer-2-rename');
      await page.getByRole('button', { name: 'Save' }).click();
      await second.locator('.who:has-text("Zoë")').waitFor();
      await second.getByRole('link', { name: 'Give to somebody else' }).click();
      await page.getByLabel('E-mail').fill('zoe@elsewhere.example');
      await page.getByLabel('First name').fill('Zoë');
      await page.getByLabel('Your words').fill('See you at the bar!');
      await buyer.look('transfer-3-give');
      await page.getByRole('button', { name: /^Continue: check/ }).click();
      await page.getByText('See you at the bar!').waitFor();
      await buyer.look('transfer-3-look');
      await page.getByRole('button', { name: /^(Send the gift|Get the link)$/ }).click();
      await second.getByText('has not accepted yet').waitFor();
      await buyer.look('transfer-3-pending');
      // The new holder opens the link of the first mail.
      const gift = await venue.inside(async () => pendingOfferOf(venue.test.app, ticketId));
      await buyer.open(await venue.inside(async () => venue.test.app.get(HolderLinks).pathTo({ giftId: gift! })));
      await buyer.look('transfer-3-gift');
      await page.getByRole('button', { name: 'Accept the ticket' }).click();
      await page.locator('.passes svg').first().waitFor();
      await buyer.open(path);
      await page.locator('#ticket-2:has-text("Given to z•••@e•••.example")').waitFor();
      expect(await second.locator('svg').count()).toBe(0);
      await buyer.look('transfer-4-given');
      expect((await scan({ qrcode_data: old }).expect(400)).body.reason).toBe('revoked');
      // The new holder opens the link of the mail.
      await buyer.open(await venue.inside(async () => venue.test.app.get(HolderLinks).pathTo({ ticketId }, 1)));
      await page.locator('.passes svg').first().waitFor();
      expect((await scan({ qrcode_data: await codeNow() }).expect(200)).body).toMatchObject({
        success: true,
        ticket: { first_name: 'Zoë' },
      });
      await buyer.leave();
    },
    240_000,
  );

  it(
    'has no findings of axe in any language and colour scheme',
    async () => {
      const { path, ticket } = await sold();
      const given = await venue.inside(async () => {
        await giveTicket(venue.test.app, ticket, { email: 'zoe@example.org', firstName: 'Zoë', lastName: '' });
        return venue.test.app.get(HolderLinks).pathTo({ ticketId: ticket.id }, 1);
      });
      for (const [name, address] of [
        ['reservation', path],
        ['ticket', given],
        ['transfer', `${given}/transfer`],
        ['cancel', `${path}/cancel`],
      ] as const)
        expect(await visit(venue.chromium, venue.base, `holder-${name}`, address)).toEqual([]);
    },
    visitTimeout,
  );
});
