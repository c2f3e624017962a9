import { AccountsService, AccountSessionsService, type AccountPerson } from '#holders';
import { SETTINGS, type Settings } from '#kernel';
import { Inject, Injectable } from '@nestjs/common';
import { pageCookie, pageCookieIn, type PageCookie } from '../forms/cookies.js';

/** Sent to all pages, because the pages of events show prices for members, and forms know the address. */
const sessionCookie: PageCookie = { name: 'guichet-account' };

/** A visitor who opened the link to the account. */
export interface Visitor {
  readonly email: string;
  /** Ids of the products of the memberships that are valid now. */
  readonly memberships: ReadonlySet<string>;
}

/** Finds the person of the account's cookie. Without the cookie nothing is read. */
@Injectable()
export class AccountReader {
  constructor(
    private readonly sessions: AccountSessionsService,
    private readonly accounts: AccountsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The value of the cookie in a header `Cookie`; empty without one. */
  tokenIn(cookie: string | undefined): string {
    return pageCookieIn(this.settings, cookie, sessionCookie);
  }

  /** The person who is signed in. @param cookie header `Cookie` @returns undefined without a session */
  async person(cookie: string | undefined): Promise<AccountPerson | undefined> {
    const token = this.tokenIn(cookie);
    return token === '' ? undefined : this.sessions.find(token);
  }

  /** Like `person`, with the memberships that are valid now. */
  async visitor(cookie: string | undefined): Promise<Visitor | undefined> {
    const person = await this.person(cookie);
    return person && { email: person.email, memberships: await this.accounts.heldMemberships(person) };
  }

  /** A header `Set-Cookie`. @param seconds 0 deletes the cookie */
  cookie(token: string, seconds: number): string {
    return pageCookie(this.settings, sessionCookie, token, seconds);
  }
}
