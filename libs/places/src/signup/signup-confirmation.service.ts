import { isUuid, RefusedInput, SETTINGS, type Settings } from '#kernel';
import { passwordLinkPath, PasswordLinksService, TenantDb, TenantsService, UsersService, type TenantIdentity } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { checkedProfile } from '../profile/profile-rules.js';
import { needsApproval, type PlaceForm } from './place-form.js';
import { PlaceRequest } from './place-request.entity.js';
import { SignupApprovalsService } from './signup-approvals.service.js';
import { SignupCreationService, TakenMeanwhile } from './signup-creation.service.js';
import { SignupRequestsService } from './signup-requests.service.js';
import { SubDomainsService } from './sub-domains.service.js';

/** The state of a submitted form. */
export type SignupStatus =
  | { readonly kind: 'over' }
  | {
      /** `confirmed`: operators decide about it. */
      readonly kind: 'waiting' | 'confirmed';
      readonly form: PlaceForm;
      readonly host: string;
      readonly faults: readonly RefusedInput[];
      /** The confirmation of the address does not create the tenant: operators decide. */
      readonly needsApproval: boolean;
    }
  | {
      readonly kind: 'created';
      readonly tenant: TenantIdentity;
      readonly email: string;
      /** Path of the page on the tenant's host where the administrator chooses the first password; undefined: they have one. */
      readonly passwordPath: string | undefined;
    };

/** Fields of a form that may be changed when name or sub-domain were taken in the meantime. */
export interface SignupChange {
  readonly name?: string | undefined;
  readonly slug?: string | undefined;
}

/**
 * Creates the tenant of a form whose e-mail address is confirmed, or passes it on to operators (`TENANT_FORM=approval`). Runs in the first
 * Meta.
 */
@Injectable()
export class SignupConfirmationService {
  constructor(
    private readonly db: TenantDb,
    private readonly tenants: TenantsService,
    private readonly users: UsersService,
    private readonly requests: SignupRequestsService,
    private readonly creation: SignupCreationService,
    private readonly approvals: SignupApprovalsService,
    private readonly subDomains: SubDomainsService,
    private readonly passwords: PasswordLinksService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @returns the state of a form, with the faults that currently prevent its creation */
  async status(id: string, change: SignupChange = {}): Promise<SignupStatus> {
    const request = await this.find(id);
    if (!request) return { kind: 'over' };
    const { state } = request;
    if (state === 'created') return this.created(request);
    const { faults, checked } = checkedName(changed(this.requests.read(request).form, change));
    const identity = this.subDomains.identityOf(checked);
    const all = [...faults, ...(await this.subDomains.faults(identity, checked.city))];
    if (all.length > 0) {
      // A concurrent call may have created the tenant since the form was read. Its name and sub-domain are then no faults.
      const now = await this.find(id);
      if (now?.state === 'created') return this.created(now);
    }
    const kind = state === 'confirmed' ? 'confirmed' : 'waiting';
    const form = { ...checked, slug: identity.slug };
    return { kind, form, host: identity.host, faults: all, needsApproval: kind === 'confirmed' || needsApproval(this.settings, request) };
  }

  /**
   * Creates the tenant once, however often it is called, or passes the form on to operators, once. While operators decide, it stores
   * another name and sub-domain if the first ones are taken.
   * @returns as `status` afterwards
   */
  async confirm(id: string, client: string | undefined, change: SignupChange = {}): Promise<SignupStatus> {
    const before = await this.status(id, change);
    if (before.kind === 'confirmed') return this.rename(id, change);
    if (before.kind !== 'waiting' || before.faults.length > 0) return before;
    if (before.needsApproval) {
      await this.db.transaction(async (tx) => {
        const request = await this.requests.lock(tx, id, 'waiting');
        if (request) await this.approvals.ask(tx, request, before.form);
      });
      return this.status(id);
    }
    const passwordHash = await this.users.hash(undefined, { kind: 'network', client });
    try {
      await this.db.transaction(async (tx) => {
        const request = await this.requests.lock(tx, id, 'waiting');
        if (request) await this.creation.createIn(tx, request, before.form, passwordHash);
      });
    } catch (error) {
      if (!(error instanceof TakenMeanwhile) && !(error instanceof RefusedInput)) throw error;
    }
    return this.status(id, change);
  }

  /** A name that is not taken cannot be changed: operators decide about what they have read. */
  private async rename(id: string, change: SignupChange): Promise<SignupStatus> {
    const stored = await this.status(id);
    if (stored.kind !== 'confirmed' || stored.faults.length === 0) return stored;
    const wanted = await this.status(id, change);
    if (wanted.kind !== 'confirmed' || wanted.faults.length > 0) return wanted;
    await this.db.transaction(async (tx) => {
      const request = await this.requests.lock(tx, id, 'confirmed');
      if (request) await this.approvals.replace(tx, request, wanted.form);
    });
    return this.status(id);
  }

  private async find(id: string): Promise<PlaceRequest | undefined> {
    if (!isUuid(id)) return undefined;
    const [row] = await this.db.shared((tx) =>
      tx.query<PlaceRequest[]>(
        `select id, state, invited, sealed, tenant_id as "tenantId", user_id as "userId", password_due as "passwordDue",
           expires_at as "expiresAt"
         from shared.place_request where id = $1 and state not in ('draft', 'refused') and expires_at > now()`,
        [id],
      ),
    );
    return row;
  }

  private async created({ id, tenantId, userId, passwordDue, expiresAt }: PlaceRequest): Promise<SignupStatus> {
    const [tenant] = await this.tenants.byIds([tenantId!]);
    const [user] = await this.db.shared((tx) =>
      tx.query<{ email: string; signedIn: boolean }[]>(
        'select email, last_sign_in_at is not null as "signedIn" from shared.user_account where id = $1',
        [userId],
      ),
    );
    if (!tenant || !user) return { kind: 'over' };
    const { email, signedIn } = user;
    const due = passwordDue && !signedIn;
    const token = due
      ? await this.passwords.first({ tenantId: tenant.id, userId: userId!, email, formId: id, endsAt: expiresAt })
      : undefined;
    return { kind: 'created', tenant, email, passwordPath: token && passwordLinkPath(token) };
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
