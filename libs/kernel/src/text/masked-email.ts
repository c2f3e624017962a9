/** An address that its owner recognises and others cannot write to: `a•••@e•••.org`. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [name, domain] = [email.slice(0, at), email.slice(at + 1)];
  return `${[...name][0] ?? ''}•••@${[...domain][0] ?? ''}•••${domain.slice(domain.lastIndexOf('.'))}`;
}
