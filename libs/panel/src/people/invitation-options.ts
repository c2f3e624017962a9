import { currentPanelRequest, PANEL_PATH, type InvitationOptions, type ShownInvitation } from '#panel-kit';
import { RightWordsService, TenantWelcomeService } from '#places';
import { currentTenant, InvitationAcceptanceService, InvitationsService, SignInService } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { welcomePath } from '../welcome/welcome.path.js';

/** What the page behind the link of an invitation reads and does. */
@Injectable()
export class InvitationPageOptions {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly acceptance: InvitationAcceptanceService,
    private readonly rights: RightWordsService,
    private readonly signIn: SignInService,
    private readonly welcomes: TenantWelcomeService,
  ) {}

  options(): InvitationOptions {
    const { acceptance } = this;
    return {
      open: (token) => this.open(token),
      withPassword: (token, password, connection) => acceptance.withPassword(token, password, connection),
      signedIn: (token, userId) => acceptance.signedIn(token, userId),
      asNewPerson: (token, person, client) => acceptance.asNewPerson(token, person, client),
      signIn: (userId) => this.signIn.admitUser(userId),
      start: async (ofOperator) => (ofOperator && (await this.welcomes.read()).isShown ? welcomePath : PANEL_PATH),
    };
  }

  private async open(token: string): Promise<ShownInvitation | undefined> {
    const invitation = await this.invitations.open(token);
    if (!invitation) return undefined;
    const { email, userId, inviter, grant, roleName, note } = invitation;
    const [right] = await this.rights.of([{ ...grant, roleName }], currentPanelRequest().language);
    const { role = '', scope = '' } = right ?? {};
    return { email, userId, inviter, role, scope, note, endsAt: grant.endsAt ?? null, timeZone: currentTenant().timeZone };
  }
}
