import { databaseNow } from '#kernel';
import type { SecretBox } from '#kernel';
import type { Request } from 'express';

interface KeptSecret {
  /** Sealed with the server secret, base64. */
  sealed: string;
  /** Milliseconds since 1970. */
  until: number;
}

declare module 'express-session' {
  interface SessionData {
    /** New secrets that are stored nowhere else in plain text, by subject. */
    shown?: Record<string, KeptSecret>;
  }
}

/** Maximum number of secrets in a session, so that it cannot grow without limit. */
const MOST = 20;

/**
 * Carries a new secret (a pairing code, a key, a password) from the form that created it to the page that shows it. The secrets are stored
 * encrypted in the user's session, and never appear in a URL or a log.
 */
export class ShownSecrets {
  constructor(
    private readonly session: Request['session'],
    private readonly box: Pick<SecretBox, 'seal' | 'open'>,
  ) {}

  /** @param subject the owner of the secret, such as `pairing:<uuid>` */
  keep(subject: string, text: string, until: Date): void {
    const sealed = this.box.seal(Buffer.from(text), this.purpose(subject)).toString('base64');
    const others = this.kept().filter(([name]) => name !== subject);
    const kept = [...others.slice(1 - MOST), [subject, { sealed, until: until.getTime() }] as const];
    this.session.shown = Object.fromEntries(kept);
  }

  has(subject: string): boolean {
    return this.kept().some(([name]) => name === subject);
  }

  /** Returns the secret and keeps it; undefined when there is none or it is expired. */
  read(subject: string): string | undefined {
    const secret = this.kept().find(([name]) => name === subject)?.[1];
    return secret && this.box.open(Buffer.from(secret.sealed, 'base64'), this.purpose(subject)).toString();
  }

  /** Returns the secret and removes it; undefined when there is none or it is expired. */
  take(subject: string): string | undefined {
    const text = this.read(subject);
    if (text !== undefined) this.session.shown = Object.fromEntries(this.kept().filter(([name]) => name !== subject));
    return text;
  }

  private kept(): [string, KeptSecret][] {
    return Object.entries(this.session.shown ?? {}).filter(([, { until }]) => until > databaseNow().getTime());
  }

  private purpose(subject: string): string {
    return `panel:${this.session.id}:${subject}`;
  }
}
