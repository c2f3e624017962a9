import { SETTINGS, type Language, type Settings, type WaitingClient } from '#kernel';
import { Inject, Injectable } from '@nestjs/common';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import { maximumPasswordLength, verifyPassword, withPasswordPlace } from '../../passwords/passwords.js';
import { sessionKey } from '../sessions/session-key.js';
import { SignInAttemptsService, type GuessResult } from '../attempts/sign-in-attempts.service.js';
import { guessesOwner, ownGuesses } from '../attempts/sign-in-limits.js';
import { UserHistoryService } from '../users/user-history.service.js';
import { UsersService } from '../users/users.service.js';

/** What a user reads about the own account. */
export interface OwnAccount {
  readonly email: string;
  readonly name: string;
  readonly language: Language | null;
}

/** A session of a user, in any panel. */
export interface OwnSession {
  readonly id: string;
  /** Name of the tenant whose panel it is. */
  readonly place: string;
  /** Whether it is the session that asks. */
  readonly isThis: boolean;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly createdAt: Date;
  readonly seenAt: Date;
  readonly isSupport: boolean;
}

/** Most sessions that are shown. */
const mostSessions = 50;

/** The accounts of users, as they see and change them themselves. */
@Injectable()
export class OwnAccountService {
  constructor(
    private readonly db: TenantDb,
    private readonly users: UsersService,
    private readonly attempts: SignInAttemptsService,
    private readonly history: UserHistoryService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'sessionIdleMinutes'>,
  ) {}

  async read(userId: string): Promise<OwnAccount | undefined> {
    const [row] = await this.db.sharedStatement<OwnAccount & Record<string, unknown>>(
      { name: 'own-account', text: 'select email, name, language from shared.user_account where id = $1' },
      [userId],
    );
    return row;
  }

  /** The sessions that did not end, the last used one first. @param sid id of the session that asks */
  async sessions(userId: string, sid: string): Promise<OwnSession[]> {
    const values = [userId, this.settings.sessionIdleMinutes, sessionKey(sid)];
    const found = await this.db.onEachNode(() => this.db.sharedStatement<OwnSession & Record<string, unknown>>(sessionsStatement, values));
    return found
      .flat()
      .toSorted((one, other) => other.seenAt.getTime() - one.seenAt.getTime())
      .slice(0, mostSessions);
  }

  /**
   * Checks the password of a signed-in user. Wrong ones are counted, so that a session that was left open does not help to guess it.
   * @throws UnavailableError when too many passwords wait
   */
  async checkPassword(userId: string, password: string, connection?: WaitingClient): Promise<GuessResult> {
    const subjects = ownGuesses('password', userId);
    return withPasswordPlace({ kind: 'staff' }, async (inTurn) => {
      const retryAfterSeconds = await this.attempts.count(guessesOwner(userId), subjects);
      if (retryAfterSeconds > 0) return { ok: false, retryAfterSeconds };
      const [row] = await this.db.sharedStatement<{ stored: string }>(
        { name: 'own-password', text: 'select password_hash as stored from shared.user_account where id = $1' },
        [userId],
      );
      const fits =
        password.length <= maximumPasswordLength && (await verifyPassword({ stored: row?.stored, password, inTurn, connection }));
      if (!fits) return { ok: false, retryAfterSeconds: 0 };
      await this.attempts.succeed(subjects);
      return { ok: true };
    });
  }

  /**
   * Sets a new password and ends all sessions of the user, also the one that asks.
   * @returns the session version with which a new session works
   * @throws RefusedInput on password
   */
  async setPassword(userId: string, password: string): Promise<number> {
    const passwordHash = await this.users.hash(password);
    return this.db.shared(async (tx) => {
      await this.users.setPasswordIn(tx, userId, passwordHash);
      await this.history.record(tx, { userId, action: 'password_changed' });
      const [row] = await tx.query<{ version: number }[]>('select session_version as version from shared.user_account where id = $1', [
        userId,
      ]);
      return row?.version ?? 0;
    });
  }
}

const sessionsStatement = {
  name: 'own-sessions',
  text: `select s.id, t.name as place, s.key = $3 as "isThis", s.address, s.user_agent as "userAgent",
      s.created_at as "createdAt", s.seen_at as "seenAt", s.support_visit_id is not null as "isSupport"
    from shared.panel_session s join shared.tenant t on t.id = s.tenant_id join shared.user_account u on u.id = s.user_id
    where s.user_id = $1 and s.version = u.session_version and s.expires_at > now() and s.seen_at > now() - make_interval(mins => $2)
    order by s.seen_at desc limit ${mostSessions}`,
};
