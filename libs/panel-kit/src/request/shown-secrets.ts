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
    /** What was made a moment ago and is stored nowhere else in the clear, by what it belongs to. */
    shown?: Record<string, KeptSecret>;
  }
}

/** As much as anybody makes within the hour; a session must not grow without end. */
const MOST = 20;

/**
 * Secrets on their way from the form that made them to the page that shows them: a pairing code, a key, a password. They
 * stay in the session of who made them, sealed, and never stand in an address or a log.
 */
export class ShownSecrets {
  constructor(
    private readonly session: Request['session'],
    private readonly box: Pick<SecretBox, 'seal' | 'open'>,
  ) {}

  /** @param subject whose secret it is, as `pairing:<uuid>` */
  keep(subject: string, text: string, until: Date): void {
    const sealed = this.box.seal(Buffer.from(text), this.purpose(subject)).toString('base64');
    const others = this.kept().filter(([name]) => name !== subject);
    const kept = [...others.slice(1 - MOST), [subject, { sealed, until: until.getTime() }] as const];
    this.session.shown = Object.fromEntries(kept);
  }

  has(subject: string): boolean {
    return this.kept().some(([name]) => name === subject);
  }

  /** The secret, which stays; undefined when none is kept (any more). */
  read(subject: string): string | undefined {
    const secret = this.kept().find(([name]) => name === subject)?.[1];
    return secret && this.box.open(Buffer.from(secret.sealed, 'base64'), this.purpose(subject)).toString();
  }

  /** The secret, once. */
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
