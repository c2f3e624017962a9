/** The mail will not go however often it is tried: the address is unfit, or the server refused for good. */
export class MailRefusedError extends Error {}

/** The mail did not go this time: the server asked to come later, was not reached, or is not set up right. Try again. */
export class MailDelayedError extends Error {}

/**
 * Sorts what the SMTP client threw. What concerns this server rather than this mail (sign-in, encryption, greeting) is for the operator
 * to put right, hence no reason to give the mail up. The message is the server's short answer, without addresses.
 * @param secrets what the answer must not repeat
 */
export function mailFailure(error: unknown, secrets: readonly string[] = []): MailRefusedError | MailDelayedError {
  const { code, command, response, responseCode, message } = error as Partial<Record<string, unknown>>;
  const said = short(typeof response === 'string' && response ? response : String(message ?? error), secrets);
  const ofMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const ofServer = typeof responseCode === 'number' && [530, 535, 538].includes(responseCode);
  if (ofMail && !ofServer && (typeof responseCode !== 'number' || responseCode >= 500)) return new MailRefusedError(said);
  const where = typeof command === 'string' && response ? `${command.split(' ')[0]}: ` : '';
  return new MailDelayedError(`${where}${said}`);
}

/** On one line, without e-mail addresses and secrets. */
function short(answer: string, secrets: readonly string[]): string {
  return secrets
    .reduce((text, secret) => text.replaceAll(secret, '…'), answer)
    .replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '…')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 200);
}
