import { currentTenant, SignInService, TenantDb, UsersService, type SignInResult } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { SignupConfirmationService } from './signup-confirmation.service.js';
import { SignupLinks } from './signup-links.js';

/** A link as it was opened. */
interface FirstPassword {
  readonly id: string;
  readonly mark: string;
  readonly password: string;
  /** IP address of the caller. */
  readonly client?: string | undefined;
}

/** The first password of the person whose form created the current tenant. */
@Injectable()
export class FirstPasswordService {
  constructor(
    private readonly db: TenantDb,
    private readonly users: UsersService,
    private readonly signIn: SignInService,
    private readonly links: SignupLinks,
    private readonly confirmation: SignupConfirmationService,
  ) {}

  /** @returns the administrator's address; undefined when the link is of another tenant, was used, or has expired */
  async emailOf(id: string, mark: string): Promise<string | undefined> {
    if (!this.links.confirms(id, mark)) return undefined;
    const status = await this.confirmation.status(id);
    return status.kind === 'created' && status.passwordDue && status.tenant.id === currentTenant().id ? status.email : undefined;
  }

  /**
   * Sets the password, once, and signs the administrator in.
   * @returns undefined as `emailOf`, or when a concurrent call was first
   * @throws RefusedInput on password; UnavailableError when too many passwords wait
   */
  async set({ id, mark, password, client }: FirstPassword): Promise<Extract<SignInResult, { ok: true }> | undefined> {
    if ((await this.emailOf(id, mark)) === undefined) return undefined;
    const passwordHash = await this.users.hash(password, { kind: 'network', client });
    const userId = await this.db.shared(async (tx) => {
      const [rows] = await tx.query<[{ userId: string }[], number]>(
        `update shared.place_request set password_due = false where id = $1 and password_due and expires_at > (select now())
         returning user_id as "userId"`,
        [id],
      );
      const [claimed] = rows;
      // A statement of its own, because users are on all nodes and forms on one.
      const [first] = await tx.query<unknown[]>('select 1 from shared.user_account where id = $1 and last_sign_in_at is null', [
        claimed?.userId,
      ]);
      if (!claimed || !first) return undefined;
      await this.users.setPasswordIn(tx, claimed.userId, passwordHash);
      return claimed.userId;
    });
    const entered = userId === undefined ? undefined : await this.signIn.admitUser(userId);
    return entered?.ok ? entered : undefined;
  }
}
