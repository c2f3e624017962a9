import { drawDocument, usualAccent } from '#kernel';
import type { MailTicket, ReservationMailFacts } from '#messages';
import { TenantDb } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { WalletAccountsService } from '../accounts/wallet-accounts.service.js';
import { applePasses } from './apple-pass.js';
import { googleSaveUrl } from './google-link.js';

/** Passes in one file: Apple Wallet accepts ten. */
export const mostBundled = 10;

const accentStatement = {
  name: 'wallet-accent',
  text: 'select accent_colour as accent from {tenant}.configuration where id = 1',
};

/** Passes of valid tickets for the wallets of phones. */
@Injectable()
export class WalletPassesService {
  constructor(
    private readonly accounts: WalletAccountsService,
    private readonly db: TenantDb,
  ) {}

  /**
   * The signed passes of tickets for Apple Wallet.
   * @param tickets at least one, at most `mostBundled`
   * @returns a `.pkpass` file for one, a `.pkpasses` file for several; undefined when the venue makes none
   * @throws Problem 503 `server.busy`
   */
  async apple(facts: ReservationMailFacts, tickets: readonly MailTicket[]): Promise<Buffer | undefined> {
    const credentials = await this.accounts.apple();
    if (!credentials) return undefined;
    const accent = await this.accent();
    return drawDocument('public', 'apple-pass', { facts, tickets, credentials, accent }, () =>
      applePasses(facts, tickets, { credentials, accent }),
    );
  }

  /** The address at which Google Wallet saves a ticket. @returns undefined when the venue makes none */
  async google(facts: ReservationMailFacts, ticket: MailTicket): Promise<string | undefined> {
    const credentials = await this.accounts.google();
    return credentials && googleSaveUrl(facts, ticket, { credentials, accent: await this.accent() });
  }

  private async accent(): Promise<string> {
    const [row] = await this.db.statement<{ accent: string | null }>(accentStatement, []);
    return row?.accent ?? usualAccent;
  }
}
