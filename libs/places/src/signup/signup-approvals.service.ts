import { isUuid, LOGGER, RefusedInput, refuseUnfitText, type Logger } from '#kernel';
import { JobsService } from '#jobs';
import { actingPerson, runInTenant, TenantDb, TenantHistoryService, TenantsService, UsersService } from '#tenancy';
import type { TenantIdentity, Tx } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import type { PlaceForm } from './place-form.js';
import { PlaceRequestPicture } from './place-request-picture.entity.js';
import { awaitsApprovalSql, type PlaceRequest, type PlaceRequestState } from './place-request.entity.js';
import { SignupCreationService, TakenMeanwhile } from './signup-creation.service.js';
import { boundLock, signupMailJob, SignupRequestsService, type LockedRequest } from './signup-requests.service.js';
import { SubDomainsService } from './sub-domains.service.js';
import { texts } from '../locales/places.texts.js';

/** Job that tells operators of one form, and job that only says that more forms wait. */
export const approvalNoticeJob = 'place approval notice';
export const moreApprovalsJob = 'more place approvals notice';

/** Days in which operators decide about a form; it is deleted afterwards. */
export const approvalDays = 30;
/** Days in which the mail about a refusal can be sent. */
const refusalDays = 2;
/** Maximum number of forms a day of which operators are told by mail. */
const mostTold = 20;
/** Maximum length of the operators' note to the person. */
export const longestRefusalNote = 1000;

/** A form about which operators decide. */
export interface AwaitedApproval {
  readonly id: string;
  readonly form: PlaceForm;
  readonly host: string;
  readonly confirmedAt: Date;
}

/** What an operator has read before the decision. */
export type ReadForm = Pick<PlaceForm, 'name' | 'slug'>;

interface Row {
  readonly id: string;
  readonly sealed: Buffer;
  readonly confirmedAt: Date;
}

/**
 * Decisions of operators about forms whose address is confirmed (`TENANT_FORM=approval`). Each form is decided once: all decisions lock its
 * row first.
 */
@Injectable()
export class SignupApprovalsService {
  constructor(
    private readonly db: TenantDb,
    private readonly tenants: TenantsService,
    private readonly users: UsersService,
    private readonly jobs: JobsService,
    private readonly history: TenantHistoryService,
    private readonly requests: SignupRequestsService,
    private readonly creation: SignupCreationService,
    private readonly subDomains: SubDomainsService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Passes a locked form on to operators. */
  async ask(tx: Tx, request: LockedRequest, form: PlaceForm): Promise<void> {
    await this.replace(tx, request, form);
    await tx.query(
      `update shared.place_request set state = 'confirmed', confirmed_at = now(),
         expires_at = now() + make_interval(days => ${approvalDays}) where id = $1`,
      [request.id],
    );
    await this.tell(tx, request.id);
  }

  /** Replaces the content of a locked form. */
  async replace(tx: Tx, request: LockedRequest, form: PlaceForm): Promise<void> {
    const { language } = this.requests.read(request);
    const sealed = this.requests.seal(request.id, { form, language });
    await tx.query('update shared.place_request set sealed = $2 where id = $1', [request.id, sealed]);
  }

  /** The forms that wait for a decision, the oldest first. `TENANT_FORM_WAITING` limits their number. */
  async list(): Promise<AwaitedApproval[]> {
    const rows = await this.db.shared((tx) => tx.query<Row[]>(`${awaited} order by r.confirmed_at, r.id`));
    return rows.map((row) => ({ id: row.id, confirmedAt: row.confirmedAt, ...this.opened(row) }));
  }

  /** Number of forms that wait for a decision. */
  async count(): Promise<number> {
    const [row] = await this.db.shared((tx) =>
      tx.query<{ count: number }[]>(`select count(*)::int as count from shared.place_request r where ${awaitsApprovalSql('r')}`),
    );
    return row?.count ?? 0;
  }

  /** @throws RefusedInput on request when the form is unknown, decided or expired */
  async find(id: string): Promise<AwaitedApproval> {
    if (!isUuid(id)) throw new RefusedInput('request', sentences.unknown);
    return this.db.shared(async (tx) => {
      const [row] = await tx.query<Row[]>(`${awaited} and r.id = $1`, [id]);
      if (!row) throw await refusal(tx, id);
      return { id, confirmedAt: row.confirmedAt, ...this.opened(row) };
    });
  }

  /** The content of a form that waits. @param sealed as it is stored */
  opened(row: Pick<PlaceRequest, 'id' | 'sealed'>): { readonly form: PlaceForm; readonly host: string } {
    const { form } = this.requests.read(row);
    return { form, host: this.subDomains.identityOf(form).host };
  }

  /**
   * Creates the tenant of a form, and records who approved it. Of concurrent decisions one succeeds.
   * @param seen what the operator read: refused when the person has chosen another name since
   * @throws RefusedInput on request, when the form is decided or its name is taken: it then stays
   */
  async approve(id: string, seen?: ReadForm): Promise<TenantIdentity> {
    await this.find(id);
    const passwordHash = await this.users.hash();
    try {
      return await this.inMeta(async (tx) => {
        const request = await this.locked(tx, id);
        const { form } = this.requests.read(request);
        if (seen && (seen.name !== form.name || seen.slug !== form.slug)) throw new RefusedInput('request', sentences.changed);
        const tenant = await this.creation.createIn(tx, request, form, passwordHash);
        await this.history.record(tx, { tenantId: tenant.id, slug: tenant.slug, action: 'approved' });
        return tenant;
      });
    } catch (error) {
      if (!(error instanceof TakenMeanwhile)) throw error;
      const { form, host } = await this.find(id);
      throw new RefusedInput('request', texts.localized('signupApprovals.taken', { name: form.name, host }));
    }
  }

  /**
   * Refuses a form, deletes its content and pictures, and sends the person a mail. Of concurrent decisions one succeeds. Name and address
   * are kept until the mail is sent.
   * @param note to the person; plain text
   * @throws RefusedInput on note or request
   */
  async refuse(id: string, note = ''): Promise<void> {
    const text = note.replaceAll('\r\n', '\n').trim();
    refuseUnfitText('note', text, longestRefusalNote);
    await this.find(id);
    await this.inMeta(async (tx) => {
      const request = await this.locked(tx, id);
      const { form, language } = this.requests.read(request);
      const kept = { name: form.name, email: form.email } as PlaceForm;
      await tx.query(
        `update shared.place_request set state = 'refused', sealed = $2, network = null,
           expires_at = now() + make_interval(days => ${refusalDays}) where id = $1`,
        [id, this.requests.seal(id, { form: kept, language, note: text })],
      );
      await tx.delete(PlaceRequestPicture, { requestId: id });
      await this.jobs.add(tx, signupMailJob, id);
    });
    const { userId, label } = actingPerson();
    this.logger.info({ request: id, by: userId ?? label }, 'a form for a new place was refused');
  }

  /** Deletes the rest of a refused form after its mail. */
  async forget(id: string): Promise<void> {
    await this.db.shared((tx) => tx.query(`update shared.place_request set sealed = null where id = $1 and state = 'refused'`, [id]));
  }

  /**
   * Tells operators of a form by mail: of 20 forms a day; one mail more says that others wait. So strangers cannot fill the mailboxes of
   * operators, who see all forms in the panel. A lock makes the number exact.
   */
  private async tell(tx: Tx, id: string): Promise<void> {
    await tx.query('select pg_advisory_xact_lock($1, 1)', [boundLock]);
    const [row] = await tx.query<{ count: number }[]>(
      `select count(*)::int as count from shared.place_request where told_at > (select now() - interval '1 day')`,
    );
    const count = row?.count ?? 0;
    if (count > mostTold) return;
    await tx.query('update shared.place_request set told_at = now() where id = $1', [id]);
    await this.jobs.add(tx, count < mostTold ? approvalNoticeJob : moreApprovalsJob, id);
  }

  /** A transaction in the first Meta, to which all forms belong. */
  private async inMeta<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const meta = await this.tenants.firstMetaOfServer();
    if (!meta) throw new RefusedInput('request', sentences.unknown);
    return runInTenant(meta, () => this.db.transaction(work));
  }

  /** @throws RefusedInput on request when another decision was first */
  private async locked(tx: Tx, id: string): Promise<LockedRequest> {
    const request = await this.requests.lock(tx, id, 'confirmed');
    if (!request) throw await refusal(tx, id);
    return request;
  }
}

/** Why a form cannot be decided. */
async function refusal(tx: Tx, id: string): Promise<RefusedInput> {
  const [row] = await tx.query<{ state: PlaceRequestState }[]>('select state from shared.place_request where id = $1', [id]);
  if (row?.state === 'created') return new RefusedInput('request', sentences.approved);
  return new RefusedInput('request', row?.state === 'refused' ? sentences.refused : sentences.unknown);
}

const awaited = `select r.id, r.sealed, r.confirmed_at as "confirmedAt" from shared.place_request r where ${awaitsApprovalSql('r')}`;

const sentences = {
  unknown: texts.localized('signupApprovals.unknown'),
  approved: texts.localized('signupApprovals.approved'),
  refused: texts.localized('signupApprovals.refused'),
  changed: texts.localized('signupApprovals.changed'),
} as const;
