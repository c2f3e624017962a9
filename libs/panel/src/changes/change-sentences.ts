import { Injectable } from '@nestjs/common';
import { currentPanelRequest, PanelResources } from '#panel-kit';
import { levelWords, nounWords, permissionNouns, type ChangeActor, type ChangeEntry } from '#tenancy';
import { lifeWords } from '../tenants/tenants.words.js';
import { ChangeNamesReader, isReference, type ShownChange } from './change-names.js';
import { fieldName, isPicture, valueText, type Writing } from './change-values.js';
import { changeWords } from './changes.words.js';

/** The resources whose records have a history: the tables of their records. */
export const tablesOfResources: Readonly<Record<string, string>> = {
  events: 'event',
  series: 'event_series',
  products: 'product',
  prices: 'price',
  codes: 'code',
  discounts: 'discount',
  campaigns: 'campaign',
  'gift-cards': 'gift_card',
  gates: 'gate',
  devices: 'scanning_device',
  'team-codes': 'team_code',
  profile: 'configuration',
  addresses: 'postal_address',
  'webhook-endpoints': 'webhook_endpoint',
  wallets: 'wallet_account',
  'payment-account': 'payment_account',
  'card-readers': 'card_reader',
  reservations: 'reservation',
  memberships: 'membership',
  keys: 'api_key',
};

/** Tables whose columns a resource names, beside those above. */
const others: Readonly<Record<string, string>> = { ticket: 'tickets', gate_rule: 'gate-rules' };

/** Writes what happened as sentences: "Ada changed the price “Full”: Amount from €18.00 to €19.00". */
@Injectable()
export class ChangeSentences {
  constructor(
    private readonly names: ChangeNamesReader,
    private readonly resources: PanelResources,
  ) {}

  /** Who made each change, and a sentence. */
  async of(changes: readonly ShownChange[]): Promise<{ actor: string; sentence: string }[]> {
    const { language, timeZone } = currentPanelRequest();
    const entries = new Map(this.resources.entries('tenant').map((entry) => [entry.source.id, entry.words[language]]));
    const known = new Map([
      ...Object.entries(tablesOfResources).map(([resource, table]) => [table, entries.get(resource)] as const),
      ...Object.entries(others).map(([table, resource]) => [table, entries.get(resource)] as const),
    ]);
    const words = changeWords[language];
    const writing: Writing = { language, timeZone, words, resourceOf: (object) => known.get(object), names: await this.names.of(changes) };
    return changes.map((change) => {
      const actor = makerOf(change.actor, writing);
      return { actor, sentence: sentenceOf(change, actor, writing) };
    });
  }
}

function makerOf({ kind, id, visit }: ChangeActor, { words: { who }, names }: Writing): string {
  const name = names.makers.get(id) ?? (kind === 'person' ? who.former : '…');
  if (kind === 'person') return visit ? who.support(name) : name;
  return kind === 'key' || kind === 'device' ? who[kind](name) : who[kind];
}

function sentenceOf({ object, action, fields, content }: ShownChange, who: string, writing: Writing): string {
  const { acts, the, names, titled } = writing.words;
  const own = content?.find((entry) => entry.object === object);
  if (action === 'pruned') return acts.pruned(who);
  if (action === 'erased') return acts.erased(who, names[object] ?? object);
  if (object === 'tenant') {
    const done = acts.act(who, [lifeWords[writing.language].done[action] ?? action, ...actDetails(own, writing)].join(' – '));
    return own?.reason ? acts.reason(done, own.reason) : done;
  }
  const noun = the[object] ?? object;
  const what = own?.title ? titled(noun, own.title) : noun;
  const published = own?.after['published'];
  if (action === 'created') return published === true ? acts.createdPublished(who, what) : acts.created(who, what);
  if (action === 'deleted') return acts.deleted(who, what);
  if (object === 'price' && own && content?.length === 1 && columnsOf(own).join('') === 'amount')
    return acts.amount(who, what, ...amountsOf(own, writing));
  if (own && content?.length === 1 && columnsOf(own).join('') === 'published')
    return published === true ? acts.published(who, what) : acts.unpublished(who, what);
  const parts =
    content?.flatMap((entry) => partsOf(entry, object, fields, writing)) ?? fields.map((column) => fieldName(object, column, writing));
  return parts.length > 0 ? acts.details(who, what, parts.join(' · ')) : acts.changed(who, what);
}

function amountsOf({ object, before, after }: ChangeEntry, writing: Writing): [before: string, after: string] {
  return [valueText(object, 'amount', before['amount'], writing), valueText(object, 'amount', after['amount'], writing)];
}

/** What an operator did, such as a domain that was added, and the levels of a role. */
function actDetails(own: ChangeEntry | undefined, writing: Writing): string[] {
  const after = own?.after ?? {};
  const levels: Readonly<Record<string, string>> = levelWords[writing.language];
  return Object.entries(after).flatMap(([name, value]) => {
    const noun = permissionNouns.find((candidate) => candidate === name);
    const textOf = (one: unknown): string => (noun ? (levels[String(one)] ?? '') : valueText('tenant', name, one, writing));
    const [to, from] = [textOf(value), textOf(own?.before[name])];
    if (!to) return [];
    const change = from ? `${from} → ${to}` : to;
    return noun ? `${nounWords[writing.language][noun].label}: ${change}` : change;
  });
}

/** What changed of the record itself, or of a row that belongs to it. */
function partsOf(entry: ChangeEntry, object: string, fields: readonly string[], writing: Writing): string[] {
  const { words } = writing;
  if (entry.object !== object) {
    const name = words.names[entry.object] ?? entry.object;
    const title = entry.title ?? referenceIn(entry, object, writing);
    const thing = title ? words.named(name, title) : name;
    if (entry.action === 'created') return [words.fields.added(thing)];
    if (entry.action === 'deleted') return [words.fields.removed(thing)];
    const changed = columnsOf(entry).map((column) => fieldPart(entry, column, writing));
    return [[words.fields.altered(thing), changed.join(', ')].filter(Boolean).join(': ')];
  }
  const columns = columnsOf(entry);
  // Of secrets, only the names of the columns are kept.
  const secret = fields.filter((column) => !columns.includes(column) && column.startsWith('sealed'));
  return [
    ...columns.map((column) => fieldPart(entry, column, writing)),
    ...secret.slice(0, 1).map((column) => fieldName(object, column, writing)),
  ];
}

const columnsOf = ({ before, after }: ChangeEntry): string[] => [...new Set([...Object.keys(before), ...Object.keys(after)])];

function referenceIn({ before, after }: ChangeEntry, object: string, writing: Writing): string {
  const values = { ...before, ...after };
  const column = Object.keys(values).find((name) => isReference(name) && name !== `${object}_id`);
  return column ? valueText(object, column, values[column], writing) : '';
}

function fieldPart({ object, before, after }: ChangeEntry, column: string, writing: Writing): string {
  const name = fieldName(object, column, writing);
  if (isPicture(column)) return name;
  const [old, now] = [valueText(object, column, before[column], writing), valueText(object, column, after[column], writing)];
  if (old && now) return old === now ? name : writing.words.fields.changed(name, old, now);
  return now ? writing.words.fields.set(name, now) : writing.words.fields.cleared(name, old);
}
