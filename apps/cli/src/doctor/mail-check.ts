import type { Settings } from '#kernel';
import { MailDelayedError, MailTransportService } from '#messages';
import { check, fail, ok, warn, type Check } from './check.js';

/** Checks whether mails can be sent: signs in to the SMTP server, or looks at the mail folder. Sends nothing. */
export function mailCheck(settings: Settings): Promise<Check> {
  return check('mail', async () => {
    const transport = new MailTransportService(settings);
    try {
      const where = await transport.check();
      if (settings.smtpUrl || settings.baseDomain === 'localhost') return ok(where);
      return warn(where, 'nobody receives them: set SMTP_URL');
    } catch (error) {
      if (!(error instanceof MailDelayedError)) throw error;
      return fail(error.message, settings.smtpUrl ? 'correct SMTP_URL' : 'correct MAIL_FOLDER, or set SMTP_URL');
    } finally {
      await transport.onApplicationShutdown();
    }
  });
}
