import type { Command } from 'commander';
import { InvitationMailsService } from '#places';
import { invitationDays, InvitationsService } from '#tenancy';
import { documented, fields, show } from '../terminal/output.js';
import { withSession, type Session } from '../terminal/session.js';
import { givenRight, type RightOptions } from './given-right.js';

interface InviteOptions extends RightOptions {
  readonly email: string;
  readonly tenant: string;
  readonly note?: string;
  readonly json?: boolean;
}

/** `user invite`. */
export function inviteCommand(noun: Command): void {
  const invite = noun
    .command('invite')
    .description(
      'Invites somebody to the panel of a tenant by mail, with or without an account. The right is given when the person accepts.',
    )
    .requiredOption('--email <email>', 'who')
    .requiredOption('--tenant <slug>', 'to the panel of this tenant')
    .option('--role <role>', 'one of the roles of docs/roles.md, or the name of one of the tenant (default: direction)')
    .option('--events <slugs>', 'only for these events, separated by commas')
    .option('--until <date>', 'until the end of this day')
    .option('--note <text>', 'a line for the mail');
  documented(invite, {
    'user invite --email ana@example.org --tenant demo --role boxOffice': `mails a link that works once, for ${invitationDays} days`,
    'user revoke --email ana@example.org --tenant demo': 'takes the invitation back',
  }).action(invitePerson);
}

async function invitePerson(options: InviteOptions): Promise<void> {
  const { email, tenant, note } = options;
  await withSession((session) =>
    session.inTenant(tenant, async (venue) => {
      const right = await givenRight(session, venue, options);
      const uuid = await session.service(InvitationMailsService).invite(email, { right, note });
      show(options, { uuid, email, tenant: venue.slug, role: options.role ?? 'direction' }, fields({ Invited: email, Tenant: venue.slug }));
    }),
  );
}

/** Takes the open invitation of an address back. @returns false when there is none */
export function takeInvitationBack(session: Session, tenant: string, email: string): Promise<boolean> {
  return session.inTenant(tenant, async () => {
    const invitations = session.service(InvitationsService);
    const id = await invitations.idOf(email);
    return id !== undefined && (await invitations.withdraw(id, undefined));
  });
}
