import type { FileDrawing } from '../drawings/drawing.js';

/** A file attached to a mail. */
export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  /** A drawing is drawn when the mail is sent. */
  readonly content: Buffer | FileDrawing;
  /** Set for a picture in the HTML, which refers to it as `cid:<contentId>`. */
  readonly contentId?: string;
}

/** One mail to one person. Names and subject may contain anything: line breaks and control characters in them become spaces. */
export interface MailMessage {
  readonly to: string;
  readonly toName?: string;
  /** Displayed sender name, usually the tenant's; default: the name in MAIL_FROM. The address is always that of MAIL_FROM. */
  readonly fromName?: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly attachments: readonly MailAttachment[];
  /** With or without angle brackets; default: a new id. */
  readonly messageId?: string;
  /** Other headers, such as List-Unsubscribe; headers that the fields above set are ignored. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A mail that was accepted by the SMTP server or written to a file. */
export interface Sent {
  readonly messageId: string;
  /** The server's response, or the path of the file. */
  readonly detail: string;
}
