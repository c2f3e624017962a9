import { Inject, Injectable, Optional, type OnApplicationShutdown } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { createTransport } from 'nodemailer';
import { drawInThread } from '../threads/shared-threads.js';
import { compose } from './compose.js';
import { MailFolder } from './mail-folder.js';
import { mailFailure } from './mail-failure.js';
import type { MailMessage, Sent } from './mail-message.js';
import { smtpPool, usualTimeouts, type MailTimeouts } from './smtp.js';

/** Injection token that replaces the default timeouts. */
export const MAIL_TIMEOUTS = Symbol('mail timeouts');

type MailSettings = Pick<Settings, 'smtpUrl' | 'mailFrom' | 'mailFolder'>;

/** Sends mails through the SMTP server of SMTP_URL or, without one, writes them to the mail folder. */
@Injectable()
export class MailTransportService implements OnApplicationShutdown {
  private readonly folder: MailFolder;
  private readonly pool: ReturnType<typeof openPool> | undefined;
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(
    @Inject(SETTINGS) private readonly settings: MailSettings,
    @Optional() @Inject(MAIL_TIMEOUTS) private readonly timeouts: MailTimeouts = usualTimeouts,
  ) {
    this.folder = new MailFolder(settings.mailFolder);
    this.pool = settings.smtpUrl ? openPool(settings.smtpUrl, timeouts) : undefined;
  }

  /** Whether mails are delivered; false when they are only written to files. */
  get delivers(): boolean {
    return this.pool !== undefined;
  }

  /**
   * Sends one mail, with one attempt. The error may occur after the server accepted the mail, so a retried mail can arrive twice.
   * @throws MailRefusedError for permanent failures, MailDelayedError for temporary ones
   * @throws DrawingFailedError when its attachments cannot be drawn; Problem 503 `server.busy` when too many drawings wait
   */
  async send(message: MailMessage): Promise<Sent> {
    const sending = this.deliver(message);
    this.underWay.add(sending);
    try {
      return await sending;
    } finally {
      this.underWay.delete(sending);
    }
  }

  /** Deletes the files of the current tenant's mails to an address, and of those whose Message-ID begins with one of these ids. */
  forget(recipient: string, ids: readonly string[]): Promise<void> {
    return this.folder.forget(recipient, ids);
  }

  /**
   * Checks whether mails could be sent, without sending one.
   * @returns a description of the destination, for operators
   * @throws MailDelayedError when not
   */
  async check(): Promise<string> {
    const { smtpUrl, mailFolder } = this.settings;
    if (!this.pool || !smtpUrl) {
      await this.folder.check();
      return `files in ${mailFolder}`;
    }
    try {
      await this.pool.verify();
    } catch (error) {
      throw this.failure(error);
    }
    return `over ${new URL(smtpUrl).host}`;
  }

  /** Waits for mails in progress, whose timeouts limit the wait, then closes the connections. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.underWay);
    this.pool?.close();
  }

  /** The whole mail is drawn in a thread: its parts and their streams cost more than all other work for a mail. */
  private async deliver(message: MailMessage): Promise<Sent> {
    const { envelope, messageId, drawing } = compose(message, this.settings.mailFrom);
    const raw = await drawInThread(drawing);
    if (!this.pool) return { messageId, detail: await this.folder.write(raw, envelope.to, messageId) };
    try {
      const { response } = await this.pool.sendMail({ envelope, messageId, raw, signal: AbortSignal.timeout(this.timeouts.whole) });
      return { messageId, detail: response };
    } catch (error) {
      throw this.failure(error);
    }
  }

  private failure(error: unknown): Error {
    const { username = '', password = '' } = this.settings.smtpUrl ? new URL(this.settings.smtpUrl) : {};
    return mailFailure(error, [username, password].map(decodeURIComponent).filter(Boolean));
  }
}

const openPool = (smtpUrl: string, timeouts: MailTimeouts) => createTransport(smtpPool(smtpUrl, timeouts));
