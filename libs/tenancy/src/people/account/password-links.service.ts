import { createHash, randomBytes } from 'node:crypto';
import { SignedLinks, type Language } from '#kernel';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { currentTenant } from '../../database/context/tenant-context.js';
import { ScheduledTasks } from '../../database/scheduled/scheduled-tasks.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { emailHash } from '../attempts/sign-in-limits.js';
import { UserHistoryService } from '../users/user-history.service.js';
import { mayEnterSql } from '../roles/grant-rows.js';
import { User } from '../users/user.entity.js';
import { refuseUnfitName } from '../users/person-name.js';
import { UsersService } from '../users/users.service.js';
import type { PasswordLinkPurpose } from './password-link.entity.js';

/** Minutes for which a link to a forgotten password works after its mail was sent. */
export const passwordLinkMinutes = 30;

/** The page in the panel of the link's tenant. */
export const passwordLinkPath = (token: string): string => `/admin/password/${token}`;

/** Links that may be asked for within an hour: from one network, at one tenant, for one address; seconds between those of an address. */
const mostLinks = { network: 20, tenant: 500, address: 5, pauseSeconds: 60 } as const;

/** A link that is mailed. */
interface MailedPasswordLink {
  readonly email: string;
  readonly name: string;
  readonly language: Language;
  readonly token: string;
}

/** A link that somebody has opened. */
export interface OpenedPasswordLink {
  readonly purpose: PasswordLinkPurpose;
  /** Address of its user; null: the link does not work any more. */
  readonly email: string | null;
}

/** What somebody chooses behind a link. */
export interface ChosenPassword {
  readonly password: string;
  /** Name of the person, with a first password; absent: it was not asked. */
  readonly name?: string;
}

/** What a link to a first password is for. */
interface FirstPassword {
  readonly tenantId: string;
  readonly userId: string;
  readonly email: string;
  /** The form of the tenant; one link for each. */
  readonly formId: string;
  readonly endsAt: Date;
}

/** Links behind which users choose a password, on the host of one tenant: the first one, or another one for a forgotten one. */
@Injectable()
export class PasswordLinksService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly users: UsersService,
    private readonly history: UserHistoryService,
    private readonly links: SignedLinks,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.add('forget links to passwords', () => this.prune());
  }

  /**
   * Records that somebody asks for a link. The same work is done for every address; whether a mail is due is decided when it is sent.
   * @param network of the visitor, as `networkOfClient` names it
   * @returns id of the link; undefined when the network, the tenant or the address had enough
   */
  async request(tx: Tx, { email, network, language }: { email: string; network: string; language: Language }): Promise<string | undefined> {
    const { id: tenantId } = currentTenant();
    const address = email.trim().toLowerCase();
    const mark = this.links.markOf(`password link network:${network}`);
    // One request at a time, so that simultaneous ones cannot exceed the limits together.
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${tenantId} password links`]);
    const [row] = await tx.query<{ id: string }[]>(
      `insert into shared.password_link (tenant_id, user_id, email_hash, network, language)
       select $1, (select id from shared.user_account where email = $2), $3, $4, $5
       where (select count(*) < $6::int and count(*) filter (where network = $4) < $7::int
           and count(*) filter (where email_hash = $3) < $8::int
           and count(*) filter (where email_hash = $3 and created_at > (select now() - make_interval(secs => $9))) = 0
         from shared.password_link where tenant_id = $1 and purpose = 'forgotten' and created_at > (select now() - interval '1 hour'))
       returning id`,
      [
        tenantId,
        address,
        emailHash(address),
        mark,
        language,
        mostLinks.tenant,
        mostLinks.network,
        mostLinks.address,
        mostLinks.pauseSeconds,
      ],
    );
    return row?.id;
  }

  /**
   * Makes the token of a link, which is stored nowhere. A repeated call makes another one, and the earlier one no longer works.
   * @returns undefined when there is nobody to mail it to
   */
  async arm(id: string): Promise<MailedPasswordLink | undefined> {
    const { id: tenantId, category } = currentTenant();
    const token = randomBytes(32).toString('base64url');
    const [row] = await this.db.sharedStatement<Omit<MailedPasswordLink, 'token'>>(armStatement, [
      id,
      tenantId,
      category,
      hashOf(token),
      passwordLinkMinutes,
    ]);
    return row && { ...row, token };
  }

  /**
   * The link behind which the administrator of a new tenant chooses the first password. A repeated call returns the same token, also when
   * the link was used.
   */
  async first({ tenantId, userId, email, formId, endsAt }: FirstPassword): Promise<string> {
    const token = this.links.markOf(`first password:${formId}`);
    const values = [tenantId, userId, emailHash(email), hashOf(token), endsAt];
    await this.db.onNodeOf(tenantId, () => this.db.sharedStatement(firstStatement, values));
    return token;
  }

  /** A link of the current tenant; undefined when there is none with this token. */
  async open(token: string): Promise<OpenedPasswordLink | undefined> {
    if (!isToken(token)) return undefined;
    const [row] = await this.db.sharedStatement<OpenedPasswordLink & Record<string, unknown>>(readStatement, [
      hashOf(token),
      currentTenant().id,
    ]);
    return row;
  }

  /**
   * Sets the password behind a link, and ends the sessions and the other links of its user. One conditional update decides, so that of
   * concurrent calls exactly one succeeds.
   * @returns id of the user; undefined when the link does not work (any more)
   * @throws RefusedInput on `name` and `password`; UnavailableError when too many passwords wait
   */
  async setPassword(token: string, { password, name }: ChosenPassword, client: string | undefined): Promise<string | undefined> {
    // Only somebody with a link makes the server hash a password.
    const link = await this.open(token);
    if (typeof link?.email !== 'string') return undefined;
    const chosenName = link.purpose === 'first' ? name?.trim() : undefined;
    if (chosenName !== undefined) refuseUnfitName(chosenName);
    const passwordHash = await this.users.hash(password, { kind: 'network', client });
    return this.db.shared(async (tx) => {
      const [rows] = await tx.query<[{ userId: string; purpose: PasswordLinkPurpose }[], number]>(useSql, [
        hashOf(token),
        currentTenant().id,
      ]);
      const [row] = rows;
      if (!row) return undefined;
      const { userId, purpose } = row;
      await this.users.setPasswordIn(tx, userId, passwordHash);
      if (chosenName !== undefined) await tx.update(User, { id: userId }, { name: chosenName });
      const action = purpose === 'first' ? 'first_password' : 'password_by_link';
      await this.history.record(tx, { userId, action, details: { tenant: currentTenant().slug } });
      return userId;
    });
  }

  private async prune(): Promise<void> {
    await this.db.sharedStatement(pruneStatement, [currentTenant().id]);
  }
}

/** Checked before hashing, because anything may be in an address. */
const isToken = (text: string): boolean => /^[\w-]{27,43}$/.test(text);

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const works = `l.used_at is null and l.ends_at > (select statement_timestamp())
  and (l.purpose = 'forgotten' or exists (select 1 from shared.user_account n where n.id = l.user_id and n.last_sign_in_at is null))`;

/** An invitation is accepted with the password of the account. */
const isInvitedSql = `exists (select 1 from shared.invitation i
  where i.tenant_id = $2 and i.email = u.email and i.closed_at is null and i.expires_at > statement_timestamp())`;

/** $1: link, $2: tenant, $3: its category. Only for users who may enter the panel of the tenant, or who are invited to it. */
const armStatement = {
  name: 'password-link-arm',
  text: `with person as (
      select l.id, u.email, u.name, coalesce(u.language, l.language) as language
      from shared.password_link l join shared.user_account u on u.id = l.user_id
      where l.id = $1 and l.tenant_id = $2 and l.created_at > now() - interval '1 hour' and (${mayEnterSql('$2', '$3')} or ${isInvitedSql}))
    update shared.password_link l set token_hash = $4, ends_at = (select statement_timestamp() + make_interval(mins => $5))
    from person where l.id = person.id and l.used_at is null returning person.email, person.name, person.language`,
};

const readStatement = {
  name: 'password-link-read',
  text: `select l.purpose, case when ${works} then u.email end as email
    from shared.password_link l join shared.user_account u on u.id = l.user_id where l.token_hash = $1 and l.tenant_id = $2`,
};

/** $1: hash of the token, $2: tenant. */
const useSql = `with usable as (select l.id from shared.password_link l where l.token_hash = $1 and l.tenant_id = $2 and ${works})
  update shared.password_link l set used_at = (select statement_timestamp())
  from usable where l.id = usable.id and l.used_at is null returning l.user_id as "userId", l.purpose`;

/** $1: tenant, $2: user, $3: hash of the address, $4: of the token, $5: end. */
const firstStatement = {
  name: 'password-link-first',
  text: `insert into shared.password_link (purpose, tenant_id, user_id, email_hash, network, language, token_hash, ends_at)
    select 'first', t.id, $2, $3, '', t.language, $4, $5 from shared.tenant t where t.id = $1
    on conflict (token_hash) do nothing`,
};

/** A used link to a first password stays until its end, because it would be made again. */
const pruneStatement = {
  name: 'password-link-prune',
  text: `delete from shared.password_link where tenant_id = $1 and created_at < (select now() - interval '1 day')
    and (purpose = 'forgotten' or ends_at < (select now()))`,
};
