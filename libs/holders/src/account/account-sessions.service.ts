import { emailFault, emailKey, rememberVerified } from '#tickets';
import { createHash, randomBytes } from 'node:crypto';
import { RefusedInput, SignedLinks, type Language } from '#kernel';
import { JobsService } from '#jobs';
import { currentTenant, TenantDb, type PreparedStatement, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { texts } from '../locales/holders.texts.js';
import type { AccountPerson } from './account-person.js';

/** Mails the link to an account, when the tenant knows the address; its subject is the row of `account_session`. */
export const accountLinkJob = 'account-link';

/** Minutes for which a link works. */
export const accountLinkMinutes = 15;
/** Hours after which a session ends. */
export const accountSessionHours = 12;

/** Links that may be asked for within an hour: from one network, at one tenant, for one address; seconds between those of an address. */
const mostLinks = { network: 20, tenant: 2000, address: 5, pauseSeconds: 60 } as const;

/** Too many links were asked for from this network, or at this tenant. */
export class TooManyLinks extends RefusedInput {
  constructor() {
    super('email', texts.localized('account.tooMany'));
  }
}

/** A mailed link. */
export interface AccountLink {
  readonly email: string;
  /** It was not used, and its time has not ended. */
  readonly works: boolean;
  /** Path of the page to which the person returns; null: the account. */
  readonly returnTo: string | null;
}

/** A session that a link began. */
export interface NewSession extends Pick<AccountLink, 'returnTo'> {
  /** Value of its cookie. */
  readonly token: string;
}

/** Links to accounts, and the sessions that they open. */
@Injectable()
export class AccountSessionsService {
  constructor(
    private readonly db: TenantDb,
    private readonly jobs: JobsService,
    private readonly links: SignedLinks,
  ) {}

  /**
   * Asks for a link. The same work is done for every address: whether a mail is due is decided later, by the job that sends it.
   * @param network of the visitor, as `siteOfClient` names it
   * @param returnTo path of an own page, which the caller has checked
   * @returns id of the link; undefined when the address had enough
   * @throws RefusedInput on `email`; TooManyLinks
   */
  async request(email: string, network: string, language: Language, returnTo?: string): Promise<string | undefined> {
    const address = email.trim();
    const fault = emailFault(address);
    if (fault) throw fault;
    const tenant = currentTenant();
    const mark = this.links.markOf(`account network:${tenant.id}:${network}`);
    return this.db.transaction(async (tx) => {
      // One request at a time, so that simultaneous ones cannot exceed the limits together.
      await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${tenant.id} account links`]);
      if (!(await isWithinLimits(tx, emailKey(address), mark))) return undefined;
      const [row] = await tx.query<{ id: string }[]>(
        `insert into account_session (email, email_key, language, network, link_until, return_to)
         select $1::text, $2::text, $3::text, $4::text, (select now() + make_interval(mins => $5)), $6::text returning id`,
        [address, emailKey(address), language, mark, accountLinkMinutes, returnTo ?? null],
      );
      const { id } = row as { id: string };
      await this.jobs.add(tx, accountLinkJob, id);
      return id;
    });
  }

  /** @returns undefined when there is no such link (any more) */
  async link(id: string): Promise<AccountLink | undefined> {
    const [row] = await this.db.transaction((tx) =>
      tx.query<AccountLink[]>(
        `select email, opened_at is null and link_until > statement_timestamp() as works, return_to as "returnTo"
         from account_session where id = $1`,
        [id],
      ),
    );
    return row;
  }

  /**
   * Uses a link: begins a session, and marks the address as verified. One conditional update decides, so that a link works once.
   * @returns undefined when the link was used or its time has ended
   */
  open(id: string): Promise<NewSession | undefined> {
    const token = randomBytes(32).toString('base64url');
    return this.db.transaction(async (tx) => {
      const [rows] = await tx.query<[{ emailKey: string; returnTo: string | null }[], number]>(
        `update account_session set opened_at = (select statement_timestamp()), token_hash = $2,
           ends_at = (select now() + make_interval(hours => $3))
         where id = $1 and opened_at is null and link_until > (select statement_timestamp()) 
         returning email_key as "emailKey", return_to as "returnTo"`,
        [id, sessionHash(token), accountSessionHours],
      );
      const [opened] = rows;
      if (!opened) return undefined;
      await rememberVerified(tx, opened.emailKey);
      return { token, returnTo: opened.returnTo };
    });
  }

  /** The person of a session. @param token value of the cookie @returns undefined when there is no such session (any more) */
  async find(token: string): Promise<AccountPerson | undefined> {
    if (!isToken(token)) return undefined;
    const [row] = await this.db.statement<{ email: string; emailKey: string }>(sessionStatement, [sessionHash(token)]);
    return row;
  }

  /** Ends a session. */
  async end(token: string): Promise<void> {
    if (!isToken(token)) return;
    await this.db.transaction((tx) =>
      tx.query('update account_session set token_hash = null, ends_at = null where token_hash = $1', [sessionHash(token)]),
    );
  }
}

const sessionStatement: PreparedStatement = {
  name: 'account-session',
  text: `select email, email_key as "emailKey" from {tenant}.account_session where token_hash = $1 and ends_at > now()`,
};

/** Checked before hashing, because anything may be in a cookie. */
const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

/** What is stored of the cookie of a session. */
export const sessionHash = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** @returns false when the address had enough links @throws TooManyLinks */
async function isWithinLimits(tx: Tx, key: string, network: string): Promise<boolean> {
  const [row] = await tx.query<{ ofTenant: number; ofNetwork: number; ofAddress: number; isRecent: boolean }[]>(
    `select count(*)::int as "ofTenant", (count(*) filter (where network = $2))::int as "ofNetwork",
       (count(*) filter (where email_key = $1))::int as "ofAddress",
       coalesce(bool_or(email_key = $1 and created_at > now() - make_interval(secs => $3)), false) as "isRecent"
     from account_session where created_at > now() - interval '1 hour'`,
    [key, network, mostLinks.pauseSeconds],
  );
  const { ofTenant, ofNetwork, ofAddress, isRecent } = row as NonNullable<typeof row>;
  if (ofTenant >= mostLinks.tenant || ofNetwork >= mostLinks.network) throw new TooManyLinks();
  return !isRecent && ofAddress < mostLinks.address;
}
