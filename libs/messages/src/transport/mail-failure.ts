/** A permanent failure: the address is invalid, or the mail server refused the mail permanently. */
export class MailRefusedError extends Error {}

/** A temporary failure: the mail server refused temporarily, is unreachable, or is misconfigured. Retry later. */
export class MailDelayedError extends Error {}

/**
 * Classifies an error of the SMTP client. Errors that concern the server, not the mail (authentication, TLS, greeting), are temporary,
 * because the operator can fix them. The message is the server's short response without e-mail addresses.
 * @param secrets removed from the message
 */
export function mailFailure(error: unknown, secrets: readonly string[] = []): MailRefusedError | MailDelayedError {
  const { code, command, response, responseCode, message } = error as Partial<Record<string, unknown>>;
  const reason = short(typeof response === 'string' && response ? response : String(message ?? error), secrets);
  const ofMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const ofServer = typeof responseCode === 'number' && [530, 535, 538].includes(responseCode);
  if (ofMail && !ofServer && (typeof responseCode !== 'number' || responseCode >= 500)) return new MailRefusedError(reason);
  const where = typeof command === 'string' && response ? `${command.split(' ')[0]}: ` : '';
  return new MailDelayedError(`${where}${reason}`);
}

/** The response on one line, without e-mail addresses and secrets, at most 200 characters. */
function short(answer: string, secrets: readonly string[]): string {
  return secrets
    .reduce((text, secret) => text.replaceAll(secret, '…'), answer)
    .replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '…')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 200);
}
