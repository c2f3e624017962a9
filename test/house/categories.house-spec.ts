import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PanelRouter } from '#panel-kit';
import { categories, runInTenant, type CategoryCode, type TenantIdentity } from '#tenancy';
import { startTestApp, type TestApp } from '../support/test-app.js';

const file = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'docs/configuration.md');
const head = '| Category | Kind | What it is for | Modules | Panel |\n| --- | --- | --- | --- | --- |\n';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.close());

function row(code: CategoryCode): Promise<string> {
  const { label, description, modules } = categories[code];
  return runInTenant({ category: code } as TenantIdentity, async () => {
    const menu = test.app.get(PanelRouter).menu(code === 'R' ? 'root' : 'tenant');
    return `| \`${code}\` | ${label.en} | ${description.en} | ${modules.map((name) => `\`${name}\``).join(' ')} | ${menu.join(', ')} |`;
  });
}

describe('the documentation of the categories', () => {
  // UPDATE_DOCS=1 npm test -- house/categories writes it.
  it('equals the table of the code', async () => {
    const rows = await Promise.all((Object.keys(categories) as CategoryCode[]).map(row));
    const table = `${head}${rows.join('\n')}\n`;
    const text = readFileSync(file, 'utf8');
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, text.replace(/\| Category \| Kind \|.*\n(\|.*\n)*/, table));
    expect(readFileSync(file, 'utf8')).toContain(table);
  });
});
