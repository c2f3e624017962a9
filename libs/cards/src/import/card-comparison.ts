import { currentLanguage, type Text } from '#kernel';
import { Tenant, type Tx } from '#tenancy';
import type { CardState } from '../card.entity.js';
import { cardFaults, checkCard, parseState, type CheckedCard } from '../card-rules.js';
import type { CardLine } from './card-lines.js';
import { texts } from '../locales/cards.texts.js';

/** A fault of one line of the file. */
export interface LineFault {
  readonly line: number;
  readonly message: string;
}

/** A card of the file; null: the line does not set the member. */
export interface ImportedCard extends CheckedCard {
  readonly line: number;
  readonly originTenantId: string | null;
  readonly state: CardState | null;
}

type StoredCard = Omit<ImportedCard, 'line' | 'state'> & { readonly state: CardState };

export interface Comparison {
  /** Cards that are new. */
  readonly added: readonly ImportedCard[];
  /** Stored cards to which the file adds missing members. */
  readonly completed: readonly ImportedCard[];
  /** Number of lines that add nothing. */
  readonly unchanged: number;
  /** In the order of the lines. */
  readonly faults: readonly LineFault[];
}

/** Rows per statement. */
export const rowsAtOnce = 2000;

const say = (text: Text): string => text[currentLanguage()];

/** Compares the lines of a file with each other and with the stored cards. */
export async function compareLines(tx: Tx, lines: readonly CardLine[]): Promise<Comparison> {
  const faults: LineFault[] = [];
  const checked = readCards(lines, await tenantIds(tx, lines), faults);
  const { cards, repeated } = withoutRepetitions(checked, faults);
  const added: ImportedCard[] = [];
  const completed: ImportedCard[] = [];
  let unchanged = repeated;
  for (let from = 0; from < cards.length; from += rowsAtOnce) {
    const some = cards.slice(from, from + rowsAtOnce);
    const { byTag, byNumber } = await storedLike(tx, some);
    for (const card of some) {
      const holder = card.number === null ? undefined : byNumber.get(card.number);
      const stored = byTag.get(card.tag);
      if (holder !== undefined && holder !== card.tag) faults.push(faultOf(card, cardFaults.numberTaken));
      else if (!stored) added.push(card);
      else if (differs(card, stored)) faults.push(faultOf(card, otherValues(differs(card, stored) as Text)));
      else if (completes(card, stored)) completed.push(card);
      else unchanged += 1;
    }
  }
  return { added, completed, unchanged, faults: faults.toSorted((one, other) => one.line - other.line) };
}

function readCards(lines: readonly CardLine[], tenants: ReadonlyMap<string, string>, faults: LineFault[]): ImportedCard[] {
  return lines.flatMap(({ line, tag, number, owner, origin, state }) => {
    const { card, faults: unfit } = checkCard({ tag, number, ownerEmail: owner });
    const originTenantId = origin === '' ? null : tenants.get(origin.toLowerCase());
    const parsedState = state === '' ? null : parseState(state);
    const messages = [
      ...unfit.map(({ message }) => message),
      ...(originTenantId === undefined ? [say(cardFaults.originTenantId)] : []),
      ...(parsedState === undefined ? [say(cardFaults.state)] : []),
    ];
    if (originTenantId !== undefined && parsedState !== undefined && messages.length === 0)
      return [{ line, ...card, originTenantId, state: parsedState }];
    faults.push({ line, message: messages.join(' ') });
    return [];
  });
}

/** Equal lines count once; lines that contradict each other about one card or one number are faults. */
function withoutRepetitions(cards: readonly ImportedCard[], faults: LineFault[]) {
  const byTag = new Map<string, ImportedCard>();
  const byNumber = new Map<string, ImportedCard>();
  let repeated = 0;
  for (const card of cards) {
    const [same, numbered] = [byTag.get(card.tag), card.number === null ? undefined : byNumber.get(card.number)];
    if (same && contentOf(same) === contentOf(card)) repeated += 1;
    else if (same) faults.push(faultOf(card, alsoOnLine('tag', same.line)));
    else if (numbered) faults.push(faultOf(card, alsoOnLine('number', numbered.line)));
    else {
      byTag.set(card.tag, card);
      if (card.number !== null) byNumber.set(card.number, card);
    }
  }
  return { cards: [...byTag.values()], repeated };
}

const contentOf = ({ line: _line, ownerEmail: _email, ...content }: ImportedCard): string => JSON.stringify(content);

async function tenantIds(tx: Tx, lines: readonly CardLine[]): Promise<ReadonlyMap<string, string>> {
  const slugs = [...new Set(lines.map(({ origin }) => origin.toLowerCase()))].filter((slug) => /^[a-z0-9-]{1,63}$/.test(slug));
  const rows = await tx.query<Pick<Tenant, 'id' | 'slug'>[]>('select id, slug from shared.tenant where slug = any($1)', [slugs]);
  return new Map(rows.map(({ id, slug }) => [slug, id]));
}

async function storedLike(tx: Tx, cards: readonly ImportedCard[]) {
  const rows = await tx.query<StoredCard[]>(
    `select tag, number, owner_email as "ownerEmail", owner_key as "ownerKey", origin_tenant_id as "originTenantId", state
     from shared.card where tag = any($1) or number = any($2)`,
    [cards.map(({ tag }) => tag), cards.map(({ number }) => number).filter((number) => number !== null)],
  );
  return {
    byTag: new Map(rows.map((row) => [row.tag, row])),
    byNumber: new Map(rows.flatMap(({ number, tag }) => (number === null ? [] : [[number, tag] as const]))),
  };
}

const fields: readonly (readonly [keyof StoredCard, Text])[] = [
  ['number', texts.localized('cardComparison.number')],
  ['ownerKey', texts.localized('cardComparison.owner')],
  ['originTenantId', texts.localized('cardComparison.origin')],
  ['state', texts.localized('cardComparison.state')],
];

/** The field in which a line contradicts the stored card. */
function differs(card: ImportedCard, stored: StoredCard): Text | undefined {
  return fields.find(([name]) => card[name] !== null && stored[name] !== null && card[name] !== stored[name])?.[1];
}

function completes(card: ImportedCard, stored: StoredCard): boolean {
  return fields.some(([name]) => card[name] !== null && stored[name] === null);
}

const faultOf = ({ line }: ImportedCard, text: Text): LineFault => ({ line, message: say(text) });

const otherValues = (field: Text): Text => texts.localized('cardComparison.otherValue', { field });

const alsoOnLine = (what: 'tag' | 'number', line: number): Text =>
  texts.localized(what === 'tag' ? 'cardComparison.sameTag' : 'cardComparison.sameNumber', { line });
