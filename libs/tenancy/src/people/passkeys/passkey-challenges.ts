import { databaseNow, SecretBox } from '#kernel';
import { Injectable } from '@nestjs/common';
import { currentTenant } from '../../database/context/tenant-context.js';

/** Minutes within which a browser answers a challenge. */
export const challengeMinutes = 5;

/** What a challenge is for. It works for nothing else, at no other tenant and on no other host. */
export interface ChallengePurpose {
  /** `second`: after the password; `proof`: by somebody who is signed in. */
  readonly act: 'new' | 'sign-in' | 'second' | 'proof';
  readonly host: string;
  /** The session or the step that asks; absent: nobody is signed in. */
  readonly bound?: string;
}

/**
 * Challenges of WebAuthn, sealed for the browser that asks, so that nothing is stored of those that nobody answers. The answer is accepted
 * once: its hash is stored then.
 */
@Injectable()
export class PasskeyChallenges {
  constructor(private readonly box: SecretBox) {}

  seal(challenge: string, purpose: ChallengePurpose): string {
    const until = databaseNow().getTime() + challengeMinutes * 60_000;
    return this.box.seal(Buffer.from(JSON.stringify({ challenge, until })), textOf(purpose)).toString('base64url');
  }

  /** @returns undefined when it is for something else, or its time has ended */
  open(sealed: string, purpose: ChallengePurpose): string | undefined {
    if (!/^[\w-]{40,1000}$/.test(sealed)) return undefined;
    try {
      const opened = this.box.open(Buffer.from(sealed, 'base64url'), textOf(purpose)).toString();
      const { challenge, until }: { challenge: string; until: number } = JSON.parse(opened);
      return until > databaseNow().getTime() ? challenge : undefined;
    } catch {
      return undefined;
    }
  }
}

const textOf = ({ act, host, bound = '' }: ChallengePurpose): string => `passkey:${JSON.stringify([currentTenant().id, act, host, bound])}`;
