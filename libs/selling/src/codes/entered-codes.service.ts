import { isKindSql, soldForEventsSql } from '#catalogue';
import { kernelProblem, SETTINGS, type Settings } from '#kernel';
import { CodeGuessesService, TenantDb, type Principal, type Tx } from '#tenancy';
import { Code, codeKey, CodesService, leftOf, loadOffer, RefusedBooking, remainingOf, type Offer } from '#tickets';
import { Inject, Injectable } from '@nestjs/common';
import { codeFault, opens, reduced, usesCode } from '../rules/code.js';
import { RefusedDraft } from '../sales/draft-refusals.js';
import { heldDraftOf, keptCodeOf } from './used-codes.js';

/** What a code does at the prices of an event. */
export interface CodeAtEvent {
  /** As `codeKey` writes it. */
  readonly code: string;
  /** What each price that it applies to costs with it, by id; decimal text. */
  readonly amounts: ReadonlyMap<string, string>;
  /** Hidden prices that it opens. */
  readonly opened: readonly string[];
  /** Prices of which tickets are left because the code keeps places of the event that nobody has taken yet. */
  readonly kept: readonly string[];
}

/** What is known of a purchase for which a code is entered. */
interface EnteredFor {
  /** That the buyer changes, or their cart: what it holds with the code may be had again. */
  readonly order?: string | undefined;
  /** What the buyer chose to pay at free prices, by id; decimal text. Default: the least. */
  readonly chosen?: ReadonlyMap<string, string>;
  /** Staff sell hidden prices without a code. */
  readonly decides?: boolean;
}

/** Reads the codes that buyers on the pages enter. Trying codes is limited like sign-in. */
@Injectable()
export class EnteredCodesService {
  constructor(
    private readonly db: TenantDb,
    private readonly codes: CodesService,
    private readonly guesses: CodeGuessesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * @param typed in any spelling
   * @param client IP address of the buyer
   * @returns the code as `codeKey` writes it; undefined when nothing was typed
   * @throws RefusedBooking `code_unknown`; RefusedDraft `code_tries` when too many codes were tried
   */
  async enter(typed: string, client: string): Promise<string | undefined> {
    if (typed.trim() === '') return undefined;
    const key = codeKey(typed);
    const found = key === undefined ? undefined : await this.find(key);
    if ((await this.guesses.waitOf({ client }, found !== undefined)) > 0) throw new RefusedDraft('code_tries', 'code');
    if (!found || found.disabled) throw new RefusedBooking('code_unknown', 'code');
    return found.code;
  }

  /**
   * Limits how many codes a caller with an API key tries. Whether a code can be used is decided by the booking. Who may list the codes has
   * no need to try them.
   * @param key as `codeKey` writes it; undefined: none was sent
   * @throws Problem 429 `rate.limited`
   */
  async limit(key: string | undefined, caller: Principal | undefined): Promise<void> {
    if (key === undefined || caller?.kind !== 'integration' || caller.scopes.includes('code:read')) return;
    const wait = await this.guesses.waitOf({ keyId: caller.keyId }, (await this.find(key)) !== undefined);
    if (wait > 0) throw kernelProblem('rate.limited', { parameters: { seconds: wait }, headers: { 'Retry-After': String(wait) } });
  }

  /**
   * What a code does at an event.
   * @throws RefusedBooking on `code` when it cannot be used there now
   */
  at(eventId: string, code: string, { order, chosen, decides = false }: EnteredFor = {}): Promise<CodeAtEvent> {
    return this.db.transaction(async (tx) => {
      const offer = await loadOffer(tx, { eventId, priceIds: await pricesOf(tx, eventId), code }, this.settings);
      const prices = [...offer.prices.values()].filter((price) => price.published && (decides || !price.hidden || opens({ offer }, price)));
      const draft = order === undefined ? undefined : await heldDraftOf(tx, eventId, order);
      const isHeld = draft !== undefined && (await keptCodeOf(tx, draft))?.id === offer.code?.id;
      const fault = isHeld ? undefined : codeFault({ items: prices.map(({ id }) => ({ priceId: id, quantity: 1 })), offer });
      if (fault || !offer.code) throw new RefusedBooking(fault ?? 'code_unknown', 'code');
      if (!isHeld) await this.refuseUsedUp(offer.code.id);
      const used = prices.filter((price) => usesCode({ offer }, price));
      return {
        code,
        amounts: new Map(used.map((price) => [price.id, reduced({ offer }, price, chosen?.get(price.id) ?? price.amount).amount])),
        opened: used.flatMap(({ id, hidden }) => (hidden ? [id] : [])),
        kept: isHeld || offer.code.kept > 0 ? await keptPrices(tx, offer, draft) : [],
      };
    });
  }

  /** Whether the venue has a code that is not disabled: forms have a field for it then. */
  async areUsed(): Promise<boolean> {
    return this.db.transaction((tx) => tx.existsBy(Code, { disabled: false }));
  }

  /** @throws RefusedBooking `code_used_up` */
  private async refuseUsedUp(id: string): Promise<void> {
    const found = await this.codes.find(id);
    if (!found) return;
    const { uses, maxUses, spent, budget } = found;
    if ((maxUses !== null && uses >= maxUses) || (budget !== null && Number(spent) >= Number(budget)))
      throw new RefusedBooking('code_used_up', 'code', { mayBook: 0 });
  }

  /** Also a code that is disabled, or over. */
  private async find(code: string): Promise<Code | undefined> {
    return (await this.db.transaction((tx) => tx.findOneBy(Code, { code }))) ?? undefined;
  }
}

/** Prices that are not sold out for buyers with the code. @param draft whose own uses of it do not count */
async function keptPrices(tx: Tx, { event, prices, code }: Offer, draft?: string): Promise<string[]> {
  const left = await leftOf(tx, event.id, [...prices.keys()], true, code ? { id: code.id, reservationId: draft } : undefined);
  if (left.kept === 0) return [];
  return left.prices.flatMap((price) => (price.admits && remainingOf(price, left.places) !== 0 ? [price.priceId] : []));
}

/** All prices of tickets and goods that are sold for an event, also hidden ones. */
async function pricesOf(tx: Tx, eventId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }[]>(
    `select price.id from ${soldForEventsSql()} sold join product on product.id = sold.product_id and product.published
       and not ${isKindSql('product.category', 'membership')}
     join price on price.product_id = product.id and price.published where sold.event_id = $1 limit 200`,
    [eventId],
  );
  return rows.map(({ id }) => id);
}
