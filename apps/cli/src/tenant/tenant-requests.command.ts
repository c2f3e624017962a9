import type { Command } from 'commander';
import { SignupApprovalsService } from '#places';
import { clock, documented, fields, say, show, table } from '../terminal/output.js';
import { withSession } from '../terminal/session.js';
import { describeTenant } from './tenant-description.js';

interface Options {
  readonly json?: boolean;
  readonly note?: string;
}

/** `tenant requests`, `tenant approve` and `tenant refuse`. */
export function tenantRequestCommands(tenant: Command): void {
  documented(tenant.command('requests').description('Lists the requests for places that wait for a decision, the oldest first.'), {
    'tenant requests': 'prints a table of id, time of the confirmation, kind, host, e-mail address and name',
    'tenant requests --json': 'prints an array of the same, with town, website and description',
  }).action(list);

  documented(
    tenant
      .command('approve')
      .description('Approves a request for a place: creates the place, and sends its administrator a mail.')
      .argument('<id>', 'the request, see `tenant requests`'),
    { 'tenant approve 6f9a…': 'prints host, slug and panel address of the place' },
  ).action(approve);

  documented(
    tenant
      .command('refuse')
      .description('Refuses a request for a place: deletes its content, and sends the person a mail.')
      .argument('<id>', 'the request, see `tenant requests`')
      .option('--note <text>', 'to the person; part of the mail'),
    { 'tenant refuse 6f9a… --note "We host venues of Nantes only."': 'prints the id' },
  ).action(refuse);
}

async function list(options: Options): Promise<void> {
  await withSession(async (session) => {
    const waiting = await session.service(SignupApprovalsService).list();
    show(
      options,
      waiting.map(({ id, confirmedAt, host, form }) => ({
        id,
        confirmed_at: confirmedAt,
        name: form.name,
        category: form.category,
        host,
        email: form.email,
        city: form.city,
        website: form.website,
        short_description: form.shortDescription,
      })),
      table(
        ['ID', 'CONFIRMED', 'CATEGORY', 'HOST', 'E-MAIL', 'NAME'],
        waiting.map(({ id, confirmedAt, host, form }) => [id, clock(confirmedAt), form.category, host, form.email, form.name]),
        'No request waits.',
      ),
    );
  });
}

async function approve(id: string, options: Options): Promise<void> {
  await withSession(async (session) => {
    const tenant = await session.service(SignupApprovalsService).approve(id);
    const document = describeTenant(session, tenant);
    show(options, document, fields({ Host: tenant.host, Slug: tenant.slug, Panel: document.panel_url }));
    say('The mail is on its way as soon as a server or worker runs.');
  });
}

async function refuse(id: string, options: Options): Promise<void> {
  await withSession(async (session) => {
    await session.service(SignupApprovalsService).refuse(id, options.note);
    show(options, { id }, id);
    say('The mail is on its way as soon as a server or worker runs.');
  });
}
