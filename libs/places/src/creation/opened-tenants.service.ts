import { isEmail, RefusedInput } from '#kernel';
import { currentTenant, runInTenant, TenantsService, type TenantIdentity } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { texts } from '../locales/places.texts.js';
import { InvitationMailsService } from '../staff/invitation-mails.service.js';
import { TenantWelcome } from '../welcome/tenant-welcome.entity.js';

type NewTenant = Parameters<TenantsService['create']>[0];

/** Opens tenants that the operator creates: with the first steps that those of the form have. */
@Injectable()
export class OpenedTenantsService {
  constructor(
    private readonly tenants: TenantsService,
    private readonly invitations: InvitationMailsService,
  ) {}

  /**
   * Creates a tenant, and invites its director.
   * @param ownerEmail who gets the mail; the link sets the password of somebody without an account, and opens the first steps
   * @throws RefusedInput as `TenantsService.create`, and on `ownerEmail`
   */
  async open(input: NewTenant, ownerEmail?: string): Promise<TenantIdentity> {
    if (ownerEmail !== undefined) await this.refuseOwner(ownerEmail);
    const tenant = await this.tenants.create({
      ...input,
      furnish: async (inside) => void (await inside.insert(TenantWelcome, { tenantId: currentTenant().id })),
    });
    if (ownerEmail !== undefined) await runInTenant(tenant, () => this.invitations.invite(ownerEmail, { right: { role: 'direction' } }));
    return tenant;
  }

  /** Before the tenant is created, because nothing must be done by half. */
  private async refuseOwner(email: string): Promise<void> {
    if (!isEmail(email.trim())) throw new RefusedInput('ownerEmail', texts.localized('staffMail.refused.address'));
    if (!this.invitations.delivers) throw new RefusedInput('ownerEmail', texts.localized('staffMail.refused.noMails'));
  }
}
