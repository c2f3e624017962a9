/** A file that goes with a mail. */
export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
  /** With one it is a picture of the HTML, shown there as `cid:<contentId>`. */
  readonly contentId?: string;
}

/** One mail to one person. Names and subject may hold anything: line ends and other controls in them become spaces. */
export interface MailMessage {
  readonly to: string;
  readonly toName?: string;
  /** The name shown as sender, the tenant's; default: the one of MAIL_FROM. The address is always MAIL_FROM's. */
  readonly fromName?: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly attachments: readonly MailAttachment[];
  /** With or without its angle brackets; default: a new one. */
  readonly messageId?: string;
  /** Other headers, such as List-Unsubscribe; those that the members above say are not taken. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What became of a mail: handed to the SMTP server, or written as a file. */
export interface Sent {
  readonly messageId: string;
  /** The server's answer, or the path of the file. */
  readonly detail: string;
}
