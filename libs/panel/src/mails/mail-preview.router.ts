import { RefusedInput } from '#kernel';
import { attachmentBytes, type MailMessage } from '#messages';
import type { PanelRow } from '#panel-kit';
import { hasModule } from '#tenancy';
import { Router } from 'express';
import type { Request, Response } from 'express';
import { mailPreviewPath, previewOf, type MailTextServices } from './mail-texts.page.js';

/** Links open in a new tab: the frame itself shows nothing but the mail. */
const freedoms = 'allow-popups allow-popups-to-escape-sandbox';

/** Mails have their styles inline; everything else is forbidden to the document. */
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  `sandbox ${freedoms}`,
].join('; ');

/**
 * Renders a mail with the texts of a form, which are not stored. With `part` = `html` it answers the HTML for a frame, else subject and
 * plain text as JSON, or what is wrong with the texts (422).
 */
export function mailPreviewRouter(services: MailTextServices): Router {
  const router = Router();
  router.post(mailPreviewPath, (request: Request & { fields?: PanelRow }, response, next) => {
    const shown = hasModule('ticketing') || hasModule('membership');
    const answered = shown ? answer(services, request.fields ?? {}, response) : Promise.resolve(false);
    answered.then((known) => known || next(), next);
  });
  return router;
}

/** @returns false when the form names no kind of mail */
async function answer(services: MailTextServices, fields: PanelRow, response: Response): Promise<boolean> {
  const isFrame = fields['part'] === 'html';
  try {
    const message = await previewOf(services, fields);
    if (!message) return false;
    if (isFrame)
      response
        .set('Content-Security-Policy', policy)
        .type('html')
        .send(await withPictures(message));
    else response.json({ subject: message.subject, text: message.text });
  } catch (error) {
    if (!(error instanceof RefusedInput)) throw error;
    const faults = error.faults;
    if (isFrame) response.status(422).type('text/plain; charset=utf-8').send(error.message);
    else response.status(422).json({ errors: Object.fromEntries(faults.map(({ field, message }) => [field, message])) });
  }
  return true;
}

/** The HTML with its attached pictures in it. */
async function withPictures({ html, attachments }: MailMessage): Promise<string> {
  let shown = html;
  for (const picture of attachments.filter(({ contentId }) => contentId !== undefined)) {
    const { contentId, contentType } = picture;
    const bytes = await attachmentBytes(picture);
    shown = shown.replaceAll(`src="cid:${contentId}"`, () => `src="data:${contentType};base64,${bytes.toString('base64')}"`);
  }
  return shown.replace('<head>', '<head>\n<base target="_blank">');
}
