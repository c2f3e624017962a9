import type { Command } from 'commander';
import { InvitationMailsService } from '#places';
import { GrantsService, invitationDays, InvitationsService } from '#tenancy';
import { Refusal } from '../terminal/failure.js';
import { documented, fields, guichet, say, show } from '../terminal/output.js';
import { withSession, type Session } from '../terminal/session.js';
import { givenRight, roleHelp, type RightOptions } from './given-right.js';

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
      'Invites somebody to the panel of a tenant by mail, with or without an account. The right is given when the person accepts. ' +
        "Root's panel lists the open invitations.",
    )
    .requiredOption('--email <email>', 'who')
    .requiredOption('--tenant <slug>', 'to the panel of this tenant')
    .option('--role <role>', roleHelp)
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
      const { role = 'direction', events, until } = options;
      const right = await givenRight(session, venue, options);
      await refuseKnown(session, venue.slug, email);
      const mails = session.service(InvitationMailsService);
      const uuid = await mails.invite(email, { right, note });
      const lines = fields({ Invited: email, Tenant: venue.slug, Role: role, Events: events, Until: until });
      show(options, { uuid, email, tenant: venue.slug, role }, lines);
      say(
        mails.keeps
          ? 'No mail server is set up (SMTP_URL): a server or worker writes the mail to a file, and nobody gets it.'
          : 'The mail is on its way as soon as a server or worker runs.',
      );
    }),
  );
}

/** Refuses who is in the list of people already, with what to do on the command line. */
async function refuseKnown(session: Session, tenant: string, email: string): Promise<void> {
  const whom = `--email ${email} --tenant ${tenant}`;
  if ((await session.service(InvitationsService).idOf(email)) !== undefined) {
    throw new Refusal(`${email} is invited to ${tenant} already. To invite anew, take that back first: ${guichet} user revoke ${whom}`);
  }
  const people = await session.service(GrantsService).list();
  if (people.some((person) => person.email === email.trim().toLowerCase())) {
    throw new Refusal(`${email} has a right at ${tenant} already. To give another one: ${guichet} user grant ${whom} --role <role>`);
  }
}

/** Takes the open invitation of an address back. @returns false when there is none */
export function takeInvitationBack(session: Session, tenant: string, email: string): Promise<boolean> {
  return session.inTenant(tenant, async () => {
    const invitations = session.service(InvitationsService);
    const id = await invitations.idOf(email);
    return id !== undefined && (await invitations.withdraw(id, undefined));
  });
}
