import { retryOnDeadlock, runAsActor, type Language, type WaitingClient } from '#kernel';
import { Injectable } from '@nestjs/common';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { OwnAccountService } from '../account/own-account.service.js';
import type { WrongGuess } from '../attempts/sign-in-attempts.service.js';
import { GrantsService } from '../grants/grants.service.js';
import { User } from '../users/user.entity.js';
import { refuseUnfitName } from '../users/person-name.js';
import { UsersService } from '../users/users.service.js';
import { InvitationsService } from './invitations.service.js';

/** What somebody without an account chooses. */
export interface NewPerson {
  readonly name: string;
  readonly password: string;
  readonly language: Language;
}

/** `over`: the link does not work any more. `again`: there is an account now, or none any more: the page must be shown again. */
export type Acceptance =
  | { readonly kind: 'accepted'; readonly userId: string }
  | { readonly kind: 'over' }
  | { readonly kind: 'again' }
  | { readonly kind: 'wrong'; readonly guess: WrongGuess };

/**
 * Accepts invitations. The link alone gives nothing: the right goes to the account with the invited address, and its person must prove to
 * be that person with its password. Without an account, whoever has the link makes it, because the link came by mail to that address.
 * Whether who invited may still give the right is judged in the transaction.
 */
@Injectable()
export class InvitationAcceptanceService {
  constructor(
    private readonly db: TenantDb,
    private readonly invitations: InvitationsService,
    private readonly grants: GrantsService,
    private readonly users: UsersService,
    private readonly accounts: OwnAccountService,
  ) {}

  /**
   * Accepts as the person who has an account with the address. Wrong passwords are counted.
   * @throws RefusedInput on `role`, `scope`, `endsAt` or `email` when the right cannot be given any more; UnavailableError
   */
  async withPassword(token: string, password: string, connection?: WaitingClient): Promise<Acceptance> {
    const invitation = await this.invitations.open(token);
    if (!invitation) return { kind: 'over' };
    if (invitation.userId === null) return { kind: 'again' };
    const guess = await this.accounts.checkPassword(invitation.userId, password, connection);
    return guess.ok ? this.signedIn(token, invitation.userId) : { kind: 'wrong', guess };
  }

  /** Accepts as somebody who is signed in. @throws RefusedInput as `withPassword` */
  async signedIn(token: string, userId: string): Promise<Acceptance> {
    if ((await this.invitations.open(token))?.userId !== userId) return { kind: 'over' };
    return runAsActor({ kind: 'staff', userId }, () => retryOnDeadlock(() => this.db.shared((tx) => this.acceptIn(tx, token, userId))));
  }

  /**
   * Makes the account and accepts, in one transaction.
   * @throws RefusedInput as `withPassword`, also on `name` and `password`; UnavailableError when too many passwords wait
   */
  async asNewPerson(token: string, { name, password, language }: NewPerson, client: string | undefined): Promise<Acceptance> {
    const invitation = await this.invitations.open(token);
    if (!invitation) return { kind: 'over' };
    if (invitation.userId !== null) return { kind: 'again' };
    refuseUnfitName(name);
    const passwordHash = await this.users.hash(password, { kind: 'network', client });
    try {
      return await retryOnDeadlock(() =>
        this.db.shared(async (tx) => {
          const { id: userId, isNew } = await this.users.ensureIn(tx, invitation.email, passwordHash);
          if (!isNew) throw new NotNew();
          await tx.update(User, { id: userId }, { name: name.trim(), language });
          const accepted = await runAsActor({ kind: 'staff', userId }, () => this.acceptIn(tx, token, userId));
          // No account stays without the right.
          if (accepted.kind !== 'accepted') throw new NotNew();
          return accepted;
        }),
      );
    } catch (error) {
      if (!(error instanceof NotNew)) throw error;
      return { kind: (await this.invitations.open(token)) ? 'again' : 'over' };
    }
  }

  private async acceptIn(tx: Tx, token: string, userId: string): Promise<Acceptance> {
    await this.grants.lockIn(tx);
    const closed = await this.invitations.closeIn(tx, token);
    if (!closed) return { kind: 'over' };
    await this.grants.addIn(tx, userId, closed.right, closed.invitedBy ?? undefined);
    return { kind: 'accepted', userId };
  }
}

/** Somebody else made the account, or the invitation was closed meanwhile. */
class NotNew extends Error {}
