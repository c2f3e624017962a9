import { isUuid, RefusedInput, type Language } from '#kernel';
import { JobsService } from '#jobs';
import { TenantDb, TenantHistoryService, TenantsService, UsersService, type CategoryCode, type TenantIdentity, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { lockName } from '../creation/place-identity.js';
import { PlaceProfileService } from '../profile/place-profile.service.js';
import { checkedProfile, type ProfileTextChange } from '../profile/profile-rules.js';
import type { PlaceForm } from './place-form.js';
import { PlaceRequestPicture } from './place-request-picture.entity.js';
import { PlaceRequest } from './place-request.entity.js';
import { SignupPicturesService } from './signup-pictures.service.js';
import { signupMailJob, SignupRequestsService } from './signup-requests.service.js';
import { SubDomainsService } from './sub-domains.service.js';
import { TenantWelcome } from '../welcome/tenant-welcome.entity.js';

/** Days in which a new administrator may set the first password. */
const passwordDays = 7;

/** The state of a submitted form. */
export type SignupStatus =
  | { readonly kind: 'over' }
  | {
      readonly kind: 'waiting';
      readonly form: PlaceForm;
      readonly host: string;
      readonly faults: readonly RefusedInput[];
    }
  | {
      readonly kind: 'created';
      readonly tenant: TenantIdentity;
      readonly email: string;
      /** The administrator has to set a first password; otherwise they already have one. */
      readonly passwordDue: boolean;
    };

/** Fields of a form that may be changed when name or sub-domain were taken in the meantime. */
export interface SignupChange {
  readonly name?: string | undefined;
  readonly slug?: string | undefined;
}

/** Rolls the creating transaction back. */
class TakenMeanwhile extends Error {}

/** Creates the tenant of a form whose e-mail address is confirmed. Runs in the first Meta. */
@Injectable()
export class SignupConfirmationService {
  constructor(
    private readonly db: TenantDb,
    private readonly tenants: TenantsService,
    private readonly users: UsersService,
    private readonly jobs: JobsService,
    private readonly history: TenantHistoryService,
    private readonly profiles: PlaceProfileService,
    private readonly requests: SignupRequestsService,
    private readonly pictures: SignupPicturesService,
    private readonly subDomains: SubDomainsService,
  ) {}

  /** @returns the state of a form, with the faults that currently prevent its creation */
  async status(id: string, change: SignupChange = {}): Promise<SignupStatus> {
    const request = await this.find(id);
    if (!request) return { kind: 'over' };
    if (request.state === 'created') return this.created(request);
    const form = changed(this.requests.read(request).form, change);
    const { faults, checked } = checkedName(form);
    const identity = this.subDomains.identityOf(checked);
    const all = [...faults, ...(await this.subDomains.faults(identity, form.city))];
    if (all.length > 0) {
      // A concurrent call may have created the tenant since the form was read. Its name and sub-domain are then no faults.
      const now = await this.find(id);
      if (now?.state === 'created') return this.created(now);
    }
    return { kind: 'waiting', form: { ...checked, slug: identity.slug }, host: identity.host, faults: all };
  }

  /**
   * Creates the tenant once, however often it is called. Images, profile, domain, administrator and the welcome mail are in the same
   * transaction.
   * @returns as `status` afterwards
   */
  async confirm(id: string, client: string | undefined, change: SignupChange = {}): Promise<SignupStatus> {
    const before = await this.status(id, change);
    if (before.kind !== 'waiting' || before.faults.length > 0) return before;
    const passwordHash = await this.users.hash(undefined, { kind: 'network', client });
    try {
      await this.db.transaction((tx) => this.createIn(tx, id, before.form, passwordHash));
    } catch (error) {
      if (!(error instanceof TakenMeanwhile) && !(error instanceof RefusedInput)) throw error;
    }
    return this.status(id, change);
  }

  /**
   * Sets the first password of a new administrator, once.
   * @returns false when the link was used, has expired, or the administrator has already signed in
   * @param client IP address of the caller
   * @throws RefusedInput on password; UnavailableError when too many passwords wait
   */
  async setPassword(id: string, password: string, client: string | undefined): Promise<boolean> {
    const status = await this.status(id);
    if (status.kind !== 'created' || !status.passwordDue) return false;
    const passwordHash = await this.users.hash(password, { kind: 'network', client });
    return this.db.shared(async (tx) => {
      const [rows] = await tx.query<[{ userId: string }[], number]>(
        `update shared.place_request set password_due = false where id = $1 and password_due and expires_at > (select now())
           and exists (select 1 from shared.user_account u where u.id = user_id and u.last_sign_in_at is null)
         returning user_id as "userId"`,
        [id],
      );
      const [claimed] = rows;
      if (!claimed) return false;
      await this.users.setPasswordIn(tx, claimed.userId, passwordHash);
      return true;
    });
  }

  /** Lock order: form, name of the organisation, then the locks of tenant creation. */
  private async createIn(tx: Tx, id: string, form: PlaceForm, passwordHash: string): Promise<void> {
    const request = await this.lock(tx, id);
    if (!request) return;
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
      furnish: (inside) => this.profiles.fillIn(inside, profile, pictures),
    });
    await tx.insert(TenantWelcome, { tenantId: tenant.id });
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
  }

  /** Locks the form if it is still waiting: a concurrent call waits here for the first one and then finds the tenant. */
  private async lock(tx: Tx, id: string): Promise<PlaceRequest | undefined> {
    const [row] = await tx.query<PlaceRequest[]>(
      `select id, invited, sent_at as "sentAt" from shared.place_request
       where id = $1 and state = 'waiting' and expires_at > now() for update`,
      [id],
    );
    return row;
  }

  private async find(id: string): Promise<PlaceRequest | undefined> {
    if (!isUuid(id)) return undefined;
    const [row] = await this.db.shared((tx) =>
      tx.query<PlaceRequest[]>(
        `select id, state, invited, sealed, tenant_id as "tenantId", user_id as "userId", password_due as "passwordDue"
         from shared.place_request where id = $1 and state <> 'draft' and expires_at > now()`,
        [id],
      ),
    );
    return row;
  }

  private async created({ tenantId, userId, passwordDue }: PlaceRequest): Promise<SignupStatus> {
    const [tenant] = await this.tenants.byIds([tenantId!]);
    const [user] = await this.db.shared((tx) =>
      tx.query<{ email: string; signedIn: boolean }[]>(
        'select email, last_sign_in_at is not null as "signedIn" from shared.user_account where id = $1',
        [userId],
      ),
    );
    if (!tenant || !user) return { kind: 'over' };
    return { kind: 'created', tenant, email: user.email, passwordDue: passwordDue && !user.signedIn };
  }
}

function changed(form: PlaceForm, { name, slug }: SignupChange): PlaceForm {
  return { ...form, ...(name !== undefined && { name }), ...(slug !== undefined && { slug }) };
}

function checkedName(form: PlaceForm): { faults: RefusedInput[]; checked: PlaceForm } {
  try {
    const { name } = checkedProfile({ name: form.name });
    return { faults: [], checked: { ...form, name: name ?? '' } };
  } catch (error) {
    if (!(error instanceof RefusedInput)) throw error;
    return { faults: [error], checked: form };
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
