import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import passport from 'passport';
import { HeaderAPIKeyStrategy } from 'passport-headerapikey';
import type { Request, Response } from 'express';
import type { AccessRule } from './access-rule.js';
import { ApiKeysService, type Principal } from '../keys/api-keys.service.js';
import { RequestLimitsService } from './request-limits.service.js';
import { problem, unauthorized } from '../../database/context/tenancy.problems.js';

const name = 'api-key';
const prefix = 'Api-Key ';

/** Reads `Authorization: Api-Key <key>` of integrations and devices. `AccessGuard` calls it. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(HeaderAPIKeyStrategy, name) {
  /** Of this application: in the shared instance of passport, the last application of a process would answer for all. */
  private authenticator?: passport.Authenticator;

  constructor(
    private readonly keys: ApiKeysService,
    private readonly limits: RequestLimitsService,
  ) {
    const verify = (key: string, verified: Verified, request: KeyRequest): void => {
      this.validate(key, request).then((principal) => verified(null, principal), verified);
    };
    // The package passes the request last, where Nest expects the callback: so this function takes the place of Nest's own.
    super(...([{ header: 'Authorization', prefix }, true, verify] as unknown as [{ header: string; prefix: string }, boolean]));
  }

  /** The owner of the request's key. @throws Problem 401 or 403 `key.…`, 429 `rate.limited` */
  principalOf(request: Request, response: Response, rule: AccessRule): Promise<Principal> {
    (request as KeyRequest).accessRule = rule;
    return new Promise((resolve, reject) => {
      const decide = (error: Error | null, principal?: Principal | false): void => {
        if (error) reject(error);
        else resolve(principal || this.refuse(request));
      };
      this.authenticator!.authenticate(name, { session: false }, decide)(request, response, reject);
    });
  }

  override authenticate(request: Request): void {
    const { headers } = request;
    // The name of a scheme is case-insensitive (RFC 9110, section 11.1); the package compares it exactly.
    headers.authorization = headers.authorization?.replace(/^api-key +/i, prefix);
    super.authenticate(request);
  }

  /** @param sent what follows the name of the scheme */
  async validate(sent: string, request: KeyRequest): Promise<Principal> {
    const key = sent.trimEnd();
    if (/^$|\s/.test(key)) return this.refuse(request);
    const { accessRule: rule } = request;
    return this.limits.countKey(key, rule, request, () => this.keys.authenticate(key, request.ip, isCheckedLater(rule, request)));
  }

  /** The instance of passport that Nest registers this strategy with. */
  getPassportInstance(): passport.Authenticator {
    return (this.authenticator ??= new passport.Authenticator());
  }

  /** Refuses an `Authorization` that has no key. */
  private async refuse(request: Request): Promise<never> {
    this.limits.countNoKey(request);
    throw problem(/^api-key\b/i.test(request.headers.authorization ?? '') ? 'key.malformed' : 'key.missing', unauthorized);
  }
}

/** passport's callback. */
type Verified = (error: Error | null, principal?: Principal) => void;

type KeyRequest = Request & { accessRule: AccessRule };

/** Whether a cached key is sufficient for the guard. Stored answers of an `Idempotency-Key` are read before the transaction. */
export function isCheckedLater(rule: AccessRule, { headers }: Request): boolean {
  if (rule.who === 'key') return rule.checkedByTransaction === true && headers['idempotency-key'] === undefined;
  return rule.who === 'door';
}
