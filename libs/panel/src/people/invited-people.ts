import { dayWords } from '#kernel';
import { currentPanelRequest, type PanelFilter, type PanelQuery, type PanelRow } from '#panel-kit';
import { currentTenant, type OpenInvitation } from '#tenancy';
import { peopleWords } from './people.words.js';
import type { PeopleServices } from './people.services.js';

/** States of people who have not accepted yet. */
export const invitedStates = ['invited', 'expired'] as const;

/** Whether a row of the list is an invitation. */
export const isInvited = ({ state }: PanelRow): boolean => invitedStates.some((one) => one === state);

/** Open invitations as rows of the list of people; they come before the people. There are at most some hundred. */
export class InvitedPeople {
  constructor(private readonly services: PeopleServices) {}

  /** Those that a filter finds. */
  async matching(filter: PanelFilter): Promise<OpenInvitation[]> {
    const found = await this.services.invitations.list();
    return found.filter((invitation) => Object.entries(filter).every(([name, condition]) => fits(invitation, name, condition)));
  }

  async rows(ids: readonly string[]): Promise<PanelRow[]> {
    return this.described((await this.services.invitations.list()).filter(({ id }) => ids.includes(id)));
  }

  /** The rows of a page, and how many invitations come before the people of the page. */
  async page({ filter, offset, limit }: PanelQuery): Promise<{ rows: PanelRow[]; total: number }> {
    const found = await this.matching(filter);
    return { rows: await this.described(found.slice(offset, offset + limit)), total: found.length };
  }

  private async described(invitations: readonly OpenInvitation[]): Promise<PanelRow[]> {
    const { language } = currentPanelRequest();
    const { invited } = peopleWords[language];
    const { timeZone } = currentTenant();
    const rights = await this.services.rights.of(
      invitations.map(({ grant, roleName }) => ({ ...grant, roleName })),
      language,
    );
    return invitations.map(({ id, email, grant, inviter, askedAt, isExpired, note }, index) => {
      const day = dayWords(askedAt, language, timeZone);
      return {
        id,
        name: email,
        email,
        role: rights[index]?.role ?? '',
        scope: rights[index]?.scope ?? '',
        endsAt: grant.endsAt ?? null,
        state: isExpired ? 'expired' : 'invited',
        invited: inviter === null ? invited.byOperator(day) : invited.by(inviter, day),
        inviteNote: note,
        lastSignInAt: null,
        hasFactor: null,
        grantedAt: null,
      };
    });
  }
}

function fits({ email, isExpired }: OpenInvitation, name: string, condition: PanelFilter[string]): boolean {
  if (name === 'state') return condition.kind === 'equals' && condition.value === (isExpired ? 'expired' : 'invited');
  if (condition.kind === 'contains') {
    const words = condition.text.toLowerCase().split(/\s+/).filter(Boolean);
    return words.every((word) => email.includes(word));
  }
  return condition.kind === 'equals' && name === 'email' && String(condition.value).toLowerCase() === email;
}
