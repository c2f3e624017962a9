import type { WaitingClient } from '#kernel';
import { Injectable } from '@nestjs/common';
import type { GuessResult } from '../attempts/sign-in-attempts.service.js';
import { PasskeysService, type PasskeyAnswer, type PasskeyQuestion } from '../passkeys/passkeys.service.js';
import type { PasskeySite } from '../passkeys/webauthn.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { OwnAccountService } from './own-account.service.js';

/** People who are signed in prove again that they are the ones: with the password, a code of their app, or a passkey. */
@Injectable()
export class ProofsService {
  constructor(
    private readonly account: OwnAccountService,
    private readonly factor: SecondFactorService,
    private readonly passkeys: PasskeysService,
  ) {}

  /** How a user can prove it on a host, beside the password. */
  async waysOf(userId: string, host: string): Promise<{ app: boolean; passkey: boolean }> {
    return { app: (await this.factor.state(userId)).isOn, passkey: await this.passkeys.has(userId, host) };
  }

  /**
   * Checks a password, or the six digits of an app. Wrong ones are counted in the database.
   * @throws UnavailableError when too many passwords wait
   */
  async check(userId: string, secret: string, connection?: WaitingClient): Promise<GuessResult> {
    const isCode = /^\s*\d{3}\s*\d{3}\s*$/.test(secret) && (await this.factor.state(userId)).isOn;
    return isCode ? this.factor.check(userId, secret) : this.account.checkPassword(userId, secret, connection);
  }

  /** What a browser needs to prove it with a passkey. @param session that asks */
  ask(userId: string, { host }: PasskeySite, session: string): Promise<PasskeyQuestion<object>> {
    return this.passkeys.beginUse({ act: 'proof', host, bound: session }, userId);
  }

  /** Checks the answer of the browser. */
  async checkPasskey(userId: string, answer: PasskeyAnswer, session: string): Promise<boolean> {
    return (await this.passkeys.use(answer, { act: 'proof', bound: session }, userId)) !== undefined;
  }
}
