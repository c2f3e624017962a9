/** The commonest passwords that are long enough to be accepted; lists of attackers begin with them. */
let common: Promise<ReadonlySet<string>> | undefined;

/**
 * Whether a password is among the commonest (49,000 of public leaks), in any case of its letters. The list is read once, when the first
 * password is chosen, because most processes never need it.
 * @param least length below which passwords are refused anyway
 */
export async function isCommonPassword(password: string, least: number): Promise<boolean> {
  common ??= readList(least);
  return (await common).has(password.toLowerCase());
}

async function readList(least: number): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const words = dictionary['passwords-common'] ?? [];
  return new Set(words.map(String).filter((word) => word.length >= least));
}
