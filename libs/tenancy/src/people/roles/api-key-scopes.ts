export type KeyKind = 'gdev' | 'gkey';

/** The nouns of scopes; reading and writing are separate. */
export const scopeNouns = [
  'event',
  'product',
  'reservation',
  'ticket',
  'membership',
  'place',
  'webhook',
  'card',
  'code',
  'gift_card',
  'campaign',
  'customer',
] as const;
export type ScopeNoun = (typeof scopeNouns)[number];
export type Scope = `${ScopeNoun}:${'read' | 'write'}`;

/** Nouns without write scope: cards are changed only in Root's panel. */
const readOnly: ReadonlySet<ScopeNoun> = new Set<ScopeNoun>(['card']);

export const allScopes: readonly Scope[] = scopeNouns.flatMap((noun): Scope[] =>
  readOnly.has(noun) ? [`${noun}:read`] : [`${noun}:read`, `${noun}:write`],
);

/**
 * Reads a list of scopes as people write it: `all`, `event` (read and write), `event:read`, separated by commas or spaces.
 * @throws RangeError naming the first unknown word
 */
export function parseScopes(text: string): Scope[] {
  const chosen = new Set<Scope>();
  for (const word of text.split(/[\s,]+/).filter(Boolean)) {
    const matches = word === 'all' ? allScopes : allScopes.filter((scope) => scope === word || scope.startsWith(`${word}:`));
    if (matches.length === 0)
      throw new RangeError(`"${word}" is not a scope. Use all, or some of: ${scopeNouns.join(', ')} (each also with :read or :write).`);
    for (const scope of matches) chosen.add(scope);
  }
  return allScopes.filter((scope) => chosen.has(scope));
}
