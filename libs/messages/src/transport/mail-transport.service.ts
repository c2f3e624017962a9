import { Inject, Injectable, Optional, type OnApplicationShutdown } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { createTransport } from 'nodemailer';
import { compose } from './compose.js';
import { MailFolder } from './mail-folder.js';
import { mailFailure, MailRefusedError } from './mail-failure.js';
import type { MailMessage, Sent } from './mail-message.js';
import { smtpPool, usualTimeouts, type MailTimeouts } from './smtp.js';
import { inOnePiece } from './whole-message.js';

/** Injection token that replaces the default timeouts. */
export const MAIL_TIMEOUTS = Symbol('mail timeouts');

type MailSettings = Pick<Settings, 'smtpUrl' | 'mailFrom' | 'mailFolder'>;

/** Sends mails through the SMTP server of SMTP_URL or, without one, writes them to the mail folder. */
@Injectable()
export class MailTransportService implements OnApplicationShutdown {
  private readonly folder: MailFolder;
  private readonly pool: ReturnType<typeof openPool> | undefined;
  private readonly writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
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
   */
  async send(message: MailMessage): Promise<Sent> {
    const sending = this.pool ? this.hand(message) : this.write(message);
    this.underWay.add(sending);
    try {
      return await sending;
    } finally {
      this.underWay.delete(sending);
    }
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

  private async hand(message: MailMessage): Promise<Sent> {
    try {
      const options = compose(message, this.settings.mailFrom);
      const signal = AbortSignal.timeout(this.timeouts.whole);
      const { messageId, response } = await this.pool!.sendMail({ ...options, signal });
      return { messageId, detail: response };
    } catch (error) {
      throw error instanceof MailRefusedError ? error : this.failure(error);
    }
  }

  private async write(message: MailMessage): Promise<Sent> {
    const options = compose(message, this.settings.mailFrom);
    const { messageId, message: eml, envelope } = await this.writer.sendMail(options);
    return { messageId, detail: await this.folder.write(eml as Buffer, envelope.to[0] ?? '') };
  }

  private failure(error: unknown): Error {
    const { username = '', password = '' } = this.settings.smtpUrl ? new URL(this.settings.smtpUrl) : {};
    return mailFailure(error, [username, password].map(decodeURIComponent).filter(Boolean));
  }
}

function openPool(smtpUrl: string, timeouts: MailTimeouts) {
  const pool = createTransport(smtpPool(smtpUrl, timeouts));
  pool.use('stream', inOnePiece);
  return pool;
}
