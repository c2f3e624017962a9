import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProductsService } from '#catalogue';
import type { TenantIdentity } from '#tenancy';
import { newEvent } from '../support/builders.js';
import type { TestApp } from '../support/test-app.js';
import { openPanelVenue, type PanelVenue } from '../browser/panel-venue.js';

let panel: PanelVenue;
let test: TestApp;
let venue: TenantIdentity;

beforeAll(async () => {
  panel = await openPanelVenue();
  ({ test, venue } = panel);
});
afterAll(() => panel?.close());

describe('the form of a price', () => {
  it('opened from a product keeps the defaults of a new price, and accepts a VAT rate with a comma', async () => {
    const product = await test.inside(venue, () => test.app.get(ProductsService).create({ name: 'Poster', category: 'M' }));
    const { page, faults } = await panel.open('en-GB', `/resources/products/records/${product.id}/show`);
    await page.getByRole('link', { name: 'Add a price' }).click();
    const published = page.getByLabel('Published');
    await published.waitFor();
    const vat = page.getByRole('combobox', { name: 'VAT' });
    expect([await published.isChecked(), await vat.inputValue()]).toEqual([true, 'NA']);
    // The rates of the country arrive after the form.
    await vat.locator('option', { hasText: '10\u00a0%' }).waitFor({ state: 'attached' });
    expect(await vat.locator('option').allInnerTexts()).toEqual([
      'None',
      '10\u00a0%',
      '20\u00a0%',
      '8.5\u00a0% (HC)',
      '2.2\u00a0% (DD)',
      'Another rate',
    ]);
    await page.getByLabel('Name').fill('Small');
    await page.getByLabel('Amount').fill('5');
    await vat.selectOption('other');
    await page.getByRole('textbox', { name: 'Rate in percent' }).fill('x');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Choose a VAT rate').waitFor();
    await page.getByRole('textbox', { name: 'Rate in percent' }).fill('5,5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('5.5\u00a0%').waitFor();
    const made = await test.inside(venue, () => test.app.get(ProductsService).find(product.id));
    expect(made!.prices).toMatchObject([{ name: 'Small', vat: '5.5', published: true }]);
    await page.getByRole('link', { name: 'Edit' }).click();
    expect(await page.getByRole('textbox', { name: 'Rate in percent' }).inputValue()).toBe('5.5');
    await vat.selectOption('VG');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('20\u00a0%').waitFor();
    expect(faults.filter((fault) => !fault.startsWith('400'))).toEqual([]);
  });
});

describe('questions', () => {
  it('are defined in the record of the product and asked at the box office, and their answers are shown', async () => {
    const event = await newEvent(test, venue, { name: 'Circus' });
    const { products } = await test.inside(venue, () => test.app.get(ProductsService).list());
    const product = products[0]!;
    const { page, faults } = await panel.open('en-GB', `/resources/products/records/${product.id}/show`);
    await page.getByRole('link', { name: 'Change the questions' }).first().click();
    const add = page.getByRole('button', { name: 'Add a question' });
    await add.click();
    await page.getByLabel('Question', { exact: true }).fill('Phone of a parent');
    await page.getByLabel('An answer is required').check();
    await add.click();
    const second = page.locator('.gt-question').nth(1);
    await second.getByLabel('Kind of answer').selectOption('multiple_choice');
    await second.getByLabel('Asked').selectOption('ticket');
    await page.getByRole('button', { name: 'Save' }).click();
    // Both errors are shown beside their fields, and the first field has the focus.
    await page.waitForSelector('.gt-fault');
    expect(await second.locator('.gt-fault').count()).toBe(2);
    await page.waitForSelector('#question-1-label:focus');
    await second.getByLabel('Question', { exact: true }).fill('Diet');
    await second.getByLabel('Choices', { exact: true }).fill('vegan\nno nuts');
    await page.getByRole('button', { name: 'Move question 2 up' }).click();
    expect(await page.getByLabel('Question', { exact: true }).first().inputValue()).toBe('Diet');
    // After a successful save, the earlier error is no longer shown.
    expect(await page.locator('.gt-notice-error').count()).toBe(1);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.gt-notice-success').waitFor();
    expect(await page.locator('.gt-notice-error').count()).toBe(0);
    await page.getByText('Several choices · for each ticket').waitFor();

    await page.goto(panel.address(`/resources/reservations/actions/sell?event=${event.id}`));
    await page.getByLabel('E-mail (optional)').fill('ada@example.org');
    expect(await page.getByLabel('Phone of a parent').count()).toBe(0);
    await page.getByRole('button', { name: 'One more: Full price' }).click();
    await page.getByRole('button', { name: 'One more: Full price' }).click();
    await page.getByLabel('Phone of a parent').fill('06 12');
    await page.getByRole('group', { name: 'Ticket 1: Full price' }).getByLabel('vegan').check();
    await page.getByRole('group', { name: 'Ticket 2: Full price' }).getByLabel('no nuts').check();
    await page.locator('.gt-pay button').first().click();
    await page.getByRole('link', { name: 'Open the reservation' }).click();
    const answers = page.locator('.gt-answers');
    await answers.waitFor();
    expect(await answers.innerText()).toBe('Phone of a parent\n06 12\nDiet (ticket 1)\nvegan\nDiet (ticket 2)\nno nuts');
    await page.click('.gt-header .gt-export summary');
    await page.getByRole('link', { name: 'Answers' }).first().click();
    await page.getByRole('group', { name: 'Diet – ticket 1' }).waitFor();
    expect(faults.filter((fault) => !fault.startsWith('400'))).toEqual([]);
  });
});
