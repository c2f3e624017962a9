import type { Language } from '#kernel';
import { JobsService } from '#jobs';
import {
  currentTenant,
  TenantHistoryService,
  TenantsService,
  UsersService,
  type CategoryCode,
  type TenantIdentity,
  type Tx,
} from '#tenancy';
import { Injectable } from '@nestjs/common';
import { lockName } from '../creation/place-identity.js';
import { PlaceProfileService } from '../profile/place-profile.service.js';
import type { ProfileTextChange } from '../profile/profile-rules.js';
import type { PlaceForm } from './place-form.js';
import { PlaceRequestPicture } from './place-request-picture.entity.js';
import { SignupPicturesService } from './signup-pictures.service.js';
import { signupMailJob, type LockedRequest } from './signup-requests.service.js';
import { SubDomainsService } from './sub-domains.service.js';
import { TenantWelcome } from '../welcome/tenant-welcome.entity.js';

/** Days in which a new administrator may set the first password. */
const passwordDays = 7;

/** The name or sub-domain of a form was taken in the meantime. Rolls the creating transaction back. */
export class TakenMeanwhile extends Error {}

/** Creates the tenants of forms, whether the person or an operator decides. Runs in the first Meta. */
@Injectable()
export class SignupCreationService {
  constructor(
    private readonly tenants: TenantsService,
    private readonly users: UsersService,
    private readonly jobs: JobsService,
    private readonly history: TenantHistoryService,
    private readonly profiles: PlaceProfileService,
    private readonly pictures: SignupPicturesService,
    private readonly subDomains: SubDomainsService,
  ) {}

  /**
   * Creates the tenant of a locked form with images, profile, domain, administrator and the welcome mail. Lock order: form, name of the
   * organisation, then the locks of tenant creation.
   * @param passwordHash for an administrator who is new, see `UsersService.hash`
   * @throws TakenMeanwhile; RefusedInput when the database refuses the sub-domain
   */
  async createIn(tx: Tx, request: LockedRequest, form: PlaceForm, passwordHash: string): Promise<TenantIdentity> {
    const { id } = request;
    const identity = this.subDomains.identityOf(form);
    await lockName(tx, identity);
    if ((await this.subDomains.faultsIn(tx, identity)).length > 0) throw new TakenMeanwhile();
    const { id: userId, isNew } = await this.users.ensureIn(tx, form.email, passwordHash);
    const { name, language, timeZone, ...profile } = profileOf(form);
    const pictures = await this.pictures.load(tx, id);
    const tenant = await this.tenants.createIn(tx, {
      name,
      language,
      timeZone,
      ownerId: userId,
      slug: identity.slug,
      host: identity.host,
      category: form.category as CategoryCode,
      // On the server of the tenant, which may be another one.
      furnish: async (inside) => {
        await this.profiles.fillIn(inside, profile, pictures);
        await inside.insert(TenantWelcome, { tenantId: currentTenant().id });
      },
    });
    const details = { invited: request.invited, terms_accepted_at: request.sentAt };
    await this.history.record(tx, {
      tenantId: tenant.id,
      slug: tenant.slug,
      action: 'created',
      actor: form.email,
      details,
    });
    // A person who already has an unused link for another place has not set a password yet.
    await tx.query(
      `update shared.place_request set state = 'created', sealed = null, tenant_id = $2, user_id = $3,
         expires_at = now() + make_interval(days => ${passwordDays}),
         password_due = $4 or exists (select 1 from shared.place_request o where o.user_id = $3 and o.password_due)
       where id = $1`,
      [id, tenant.id, userId, isNew],
    );
    await tx.delete(PlaceRequestPicture, { requestId: id });
    await this.jobs.add(tx, signupMailJob, id);
    return tenant;
  }
}

type Profiled = Omit<ProfileTextChange, 'name' | 'language' | 'timeZone'>;

/** The profile of a new tenant. Its texts were sanitised when the form was submitted; empty texts become null. */
function profileOf(form: PlaceForm): Profiled & { name: string; language: Language; timeZone: string } {
  const { shortDescription, phone, website, streetAddress, postalCode, city, country } = form;
  const texts = {
    shortDescription,
    phone,
    website,
    streetAddress,
    postalCode,
    city,
    country,
    email: form.showEmail ? form.email : '',
  };
  const given = Object.fromEntries(Object.entries(texts).map(([field, text]) => [field, text === '' ? null : text]));
  return { ...given, name: form.name, language: form.language as Language, timeZone: form.timeZone };
}
