import { drawInThread } from '../threads/shared-threads.js';
import type { MailAttachment } from '../transport/mail-message.js';

/** The content of an attachment, drawn as when the mail is sent. @throws DrawingFailedError */
export async function attachmentBytes({ content }: MailAttachment): Promise<Buffer> {
  return Buffer.isBuffer(content) ? content : drawInThread(content);
}
