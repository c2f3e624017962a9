import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { book } from '../support/booking.js';
import { newEvent, newTicket, type BuiltTicket } from '../support/builders.js';
import { inLongRuns } from '../support/long-run.js';
import { accessFaults, overhang } from './page-faults.js';
import { openPanelVenue, picture, type PanelVenue } from './panel-venue.js';

let panel: PanelVenue;
let ticket: BuiltTicket;
let amelie: Awaited<ReturnType<typeof book>>;

beforeAll(async () => {
  panel = await openPanelVenue('Théâtre du Vieux-Port de la Grande Ville');
  const { test, venue } = panel;
  const event = await newEvent(test, venue, { name: 'Chœur d’Été', capacity: 100 });
  const sold = { confirmed: true, paymentMethod: 'cash' } as const;
  amelie = await book(test, venue, event, { email: 'amelie@example.org', firstName: 'Amélie', lastName: 'Dupont', ...sold, quantity: 2 });
  for (let index = 0; index < 12; index += 1) await book(test, venue, event, { firstName: 'Jean', lastName: `Petit ${index}`, ...sold });
  ticket = await newTicket(test, venue, { event, firstName: 'Chloé' });
});
afterAll(() => panel?.close());

const visits = [
  ['en-GB', 1280, { label: 'Search everything', all: 'Show all: Reservations', forged: /not issued here/, results: '3 results' }],
  [
    'fr-FR',
    390,
    {
      label: 'Rechercher partout',
      all: 'Tout afficher : Réservations',
      forged: /pas été émis ici/,
      results: '3 résultats',
    },
  ],
] as const;

describe.each(inLongRuns(visits, visits.slice(1)))('the search field in %s at %i pixels', (locale, width, words) => {
  it('is on every page, works with the keyboard, and opens the result', async () => {
    const { page, faults } = await panel.open(locale, '/resources/events');
    await page.setViewportSize({ width, height: 800 });
    const field = page.getByRole('combobox', { name: words.label });
    const options = page.getByRole('listbox').getByRole('option');
    await field.waitFor();
    await picture(page, `${locale}-list`);
    await page.keyboard.press('/');
    await page.waitForSelector('.gt-search input:focus');
    expect(await field.inputValue()).toBe('');
    await page.keyboard.type('dupont amelie');
    await options.first().waitFor();
    await page.getByRole('status').getByText(words.results).waitFor({ state: 'attached' });
    expect(await options.count()).toBe(3);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await field.getAttribute('aria-activedescendant')).toBe(await options.nth(1).getAttribute('id'));
    expect(await options.nth(1).getAttribute('aria-selected')).toBe('true');
    await picture(page, `${locale}-results`);
    expect(await accessFaults(page, '.gt-topbar')).toEqual([]);
    expect(await overhang(page)).toBe(0);
    await page.keyboard.press('Escape');
    expect(await options.count()).toBe(0);
    await page.keyboard.press('ArrowDown');
    expect(await options.nth(0).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/reservations/records/${amelie.id}/show`);
    await page.getByRole('heading', { name: 'Amélie Dupont' }).waitFor();
    expect(await field.inputValue()).toBe('');

    // More than ten results link to the list, filtered by the search.
    await field.fill('petit jean');
    await page.getByRole('option', { name: words.all }).click();
    await page.waitForURL(/filters\.search=petit/);
    await page.getByText('Petit 11').waitFor();
    expect(await page.locator('.gt-table tbody tr').count()).toBe(12);

    // A hand scanner types the code and Enter faster than the search responds.
    await field.focus();
    await page.keyboard.insertText(ticket.code);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/tickets/records/${ticket.id}/show`);
    await field.fill(`${ticket.code.slice(0, -1)}${ticket.code.endsWith('A') ? 'Q' : 'A'}`);
    await page.locator('.gt-found-none').getByText(words.forged).waitFor();
    await picture(page, `${locale}-forged`);
    expect(await accessFaults(page, '.gt-topbar')).toEqual([]);

    // The printed reference opens the reservation, although its tickets match, too.
    await field.fill(amelie.id.slice(0, 8).toUpperCase());
    await options.nth(3).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/reservations/records/${amelie.id}/show`);
    await field.fill('nobody at all');
    await page.locator('.gt-found-none').waitFor();
    await page.keyboard.press('Enter');
    expect(page.url()).toContain(amelie.id);
    expect(faults).toEqual([]);
  });
});
